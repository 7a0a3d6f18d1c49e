// Plain JavaScript, because it must run and print its message on any Node.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(`Earshot runs on Node 24, which "npm ci" brings along; this is Node ${process.versions.node}.
Run it through npm ("npm start", "npm test"). If that is what you did, npm did not run the install script of
the package "node": run "npm rebuild node" and try again.`);
  process.exit(1);
}
