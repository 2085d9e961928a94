import ts from "typescript";

/** Adapts the generated types for strict projects and editors. */
export function tidyTypes(text: string): string {
  const edits: { from: number; to: number; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    // With `exactOptionalPropertyTypes`, `?:` alone does not accept a value that may be undefined.
    if (ts.isPropertySignature(node) && node.questionToken && node.type && !isUnknown(node.type))
      edits.push({ from: node.type.end, to: node.type.end, text: " | undefined" });
    // Editors complete the known values beside `string & {}`, but not beside `string`.
    if (ts.isUnionTypeNode(node) && node.types.some(isText))
      for (const { kind, pos, end } of node.types)
        if (kind === ts.SyntaxKind.StringKeyword) edits.push({ from: pos, to: end, text: " (string & {})" });
    // Belongs to the generator's own client, which is not used.
    if (ts.isTypeAliasDeclaration(node) && node.name.text === "ClientOptions")
      edits.push({ from: node.pos, to: node.end, text: "" });
    else ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("types.ts", text, ts.ScriptTarget.Latest));
  return edits
    .toSorted((a, b) => b.from - a.from)
    .reduce((tidied, edit) => tidied.slice(0, edit.from) + edit.text + tidied.slice(edit.to), text);
}

const isUnknown = ({ kind }: ts.TypeNode): boolean => kind === ts.SyntaxKind.UnknownKeyword;

const isText = (node: ts.TypeNode): boolean => ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal);
