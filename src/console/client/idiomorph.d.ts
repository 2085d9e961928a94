// The parts of idiomorph that scripts use. The console serves the library as a module of this name.

interface Options {
  callbacks: {
    /** False leaves the node as it is. */
    beforeNodeMorphed(before: Node): boolean;
    afterNodeMorphed(node: Node): void;
    beforeAttributeUpdated(name: string, element: Element): boolean;
  };
}

export declare const Idiomorph: { morph(before: Element, after: Element, options: Options): Node[] };
