// A wrapper that sign.ts imports on demand: a dynamic import of a CommonJS package has no named exports.
export { SignedXml } from 'xml-crypto'
