// What the text of an action says, without running it.

// What has no end is a text or a comment as well: where a quote or `/*` matched nothing, each one would be searched to the end of the code again.
const TEXT = /'(?:\\[\s\S]|[^'\\\n])*'?|"(?:\\[\s\S]|[^"\\\n])*"?|`(?:\\[\s\S]|[^`\\])*`?/g
const COMMENT_OR_TEXT = new RegExp(`//.*|/\\*[\\s\\S]*?(?:\\*/|$)|${TEXT.source}`, 'g')

export const withoutComments = (code: string): string =>
  code.replace(COMMENT_OR_TEXT, (found) => (found.startsWith('/') ? ' ' : found))

export const withoutTexts = (code: string): string => code.replace(TEXT, "''")

/** The modules that it requires by a literal name. */
export const modulesIn = (code: string): string[] => [
  ...new Set([...withoutComments(code).matchAll(/\brequire\s*\(\s*['"`]([^'"`]*)/g)].map(([, name = '']) => name)),
]
