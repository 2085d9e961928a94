interface PapaParse {
  parse(text: string, options: object): { data: string[][]; meta: { linebreak: string } };
  unparse(rows: string[][], options: object): string;
  Parser: new (format: { delimiter: string; newline: string }) => {
    parse(text: string, base: number, isOpen: boolean): { data: string[][]; meta: { cursor: number } };
  };
}

export declare const papa: PapaParse;
