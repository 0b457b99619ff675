declare module '@xmldom/xmldom/lib/entities.js' {
  export const HTML_ENTITIES: Readonly<Record<string, string>>
}
