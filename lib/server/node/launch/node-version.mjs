// Every launcher imports this first: with an outdated Node.js no other module would load.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Latchkey needs Node.js 20.19 or newer, and this is ${process.versions.node}: install a newer one.`)
  process.exit(1)
}
