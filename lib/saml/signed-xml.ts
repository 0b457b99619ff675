// What writes signatures, for sign.ts to load: of a package in CommonJS an import on demand is not handed the names.
export { SignedXml } from 'xml-crypto'
