// The console serves the library as a module of this name.
export { Idiomorph } from "idiomorph";
