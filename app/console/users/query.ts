import { isQuery } from '../_parts/typed-query'

/** What a person types as a query of the user search: words are the start of a name or an address, anything else is the query itself. */
export function userQuery(typed: string | undefined): string | undefined {
  const text = typed?.trim() ?? ''
  if (text === '') return undefined
  if (isQuery(text)) return text
  return text
    .split(/\s+/)
    .map((word) => `${word.replace(/[+\-!^~\\/&|<>=]/g, '\\$&')}*`)
    .join(' AND ')
}
