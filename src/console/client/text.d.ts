// Files that the Worker serves as they are: wrangler.toml makes them text.
declare module "*.client.js" {
  const text: string;
  export default text;
}
declare module "*.css" {
  const text: string;
  export default text;
}
