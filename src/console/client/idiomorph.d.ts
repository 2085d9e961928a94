interface Options {
  callbacks: {
    beforeNodeMorphed(before: Node): boolean;
    afterNodeMorphed(node: Node): void;
    beforeAttributeUpdated(name: string, element: Element): boolean;
  };
}

export declare const Idiomorph: { morph(before: Element, after: Element, options: Options): Node[] };
