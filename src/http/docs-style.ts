/** The reference page's whole style; its hash is what the page's policy lets through. */
export const docsStyle = `
:root { color-scheme: light dark; --bg: #ffffff; --soft: #f5f6f8; --line: #e3e6ea; --text: #1c2128; --dim: #626d7a;
  --accent: #0b6bcb; --code: #10151c; --code-text: #dbe4ee; --code-dim: #8fa0b3; --get: #0a7d45; --post: #0b6bcb;
  --patch: #a15c00; --put: #a15c00; --delete: #c22f2f; }
@media (prefers-color-scheme: dark) { :root { --bg: #12161c; --soft: #191f27; --line: #2a323d; --text: #e4e9ef;
  --dim: #93a0af; --accent: #6db3ff; --code: #0b0e13; --get: #4cc38a; --post: #6db3ff; --patch: #f0a94a; --put: #f0a94a;
  --delete: #ff8080; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; }
body { margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 1fr); background: var(--bg); color: var(--text);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
code, pre, .mono { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .86em; }
p code, li code, td code { background: var(--soft); border: 1px solid var(--line); border-radius: 4px; padding: .05em .3em; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem 1rem 3rem 1.5rem; background: var(--soft);
  border-right: 1px solid var(--line); }
nav .brand { font-size: 1.15rem; font-weight: 700; color: var(--text); }
nav .version { color: var(--dim); font-size: .8rem; margin-left: .4rem; }
nav h2 { font-size: .7rem; letter-spacing: .08em; text-transform: uppercase; color: var(--dim); margin: 1.8rem 0 .2rem; }
nav h3 { font-size: .85rem; margin: .9rem 0 .2rem; }
nav h3 a { color: var(--text); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: flex; gap: .5rem; align-items: baseline; padding: .14rem .4rem; margin-left: -.4rem; border-radius: 5px;
  color: var(--dim); font-size: .85rem; line-height: 1.35; }
nav li a:hover { background: var(--line); color: var(--text); text-decoration: none; }
main { padding: 2.5rem 3rem 6rem; max-width: 88rem; }
h1 { font-size: 2.1rem; line-height: 1.2; margin: 0 0 .3rem; letter-spacing: -.02em; }
.lead { color: var(--dim); font-size: 1.1rem; margin: 0 0 1.5rem; }
.surface { border-top: 2px solid var(--line); margin-top: 3.5rem; padding-top: 2rem; }
.surface > h2 { font-size: 1.6rem; margin: 0 0 .3rem; letter-spacing: -.01em; }
.tag > h3 { font-size: 1.25rem; margin: 2.5rem 0 0; }
article { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 26rem); gap: 0 2.5rem; padding: 2rem 0;
  border-bottom: 1px solid var(--line); }
article > div { min-width: 0; }
article h4 { font-size: 1.1rem; margin: 0 0 .4rem; }
article h4 a { color: inherit; }
article h5 { font-size: .72rem; letter-spacing: .07em; text-transform: uppercase; color: var(--dim); margin: 1.5rem 0 .2rem; }
article p { margin: .6rem 0; }
.path { overflow-wrap: anywhere; margin: 0; }
.method { font: 700 .68rem/1 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; text-transform: uppercase;
  flex: 0 0 3.1rem; }
.path .method { font-size: .8rem; margin-right: .6rem; }
.get { color: var(--get); } .post { color: var(--post); } .patch { color: var(--patch); } .put { color: var(--put); }
.delete { color: var(--delete); }
table { width: 100%; border-collapse: collapse; }
td { vertical-align: top; padding: .45rem 0; border-top: 1px solid var(--line); font-size: .92em; }
tr:first-child td { border-top: 0; }
td:first-child { width: 38%; padding-right: 1rem; overflow-wrap: anywhere; }
.depth-1 { padding-left: 1.1rem; } .depth-2 { padding-left: 2.2rem; } .depth-3 { padding-left: 3.3rem; }
.depth-4 { padding-left: 4.4rem; } .depth-5 { padding-left: 5.5rem; } .depth-6 { padding-left: 6.6rem; }
.name { font-weight: 600; }
.required { color: var(--delete); font-size: .75rem; margin-left: .4rem; display: inline-block; }
.type { color: var(--dim); }
.limits { color: var(--dim); font-size: .85em; overflow-wrap: anywhere; }
.errors td:first-child { width: 3.5rem; }
.guide { margin: .8rem 0; } .guide th { text-align: left; font-size: .8em; color: var(--dim); padding: 0 1rem .3rem 0; }
.guide td { padding-right: 1rem; }
.samples h5:first-child { margin-top: 0; }
.samples { position: sticky; top: 1.5rem; align-self: start; }
pre { margin: .4rem 0 0; padding: .9rem 1rem; border-radius: 8px; background: var(--code); color: var(--code-text);
  overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 24rem; line-height: 1.5; border: 1px solid var(--line); }
details summary { cursor: pointer; color: var(--accent); margin-top: 1rem; font-size: .9em; }
@media (max-width: 75rem) { article { grid-template-columns: minmax(0, 1fr); } .samples { position: static; margin-top: 1rem; } }
@media (max-width: 52rem) { body { display: block; } main { padding: 1.5rem 1.2rem 4rem; }
  nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); } }
@media print { nav { display: none; } body { display: block; } }
`;
