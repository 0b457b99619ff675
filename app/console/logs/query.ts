import { isQuery, quoted } from '../_parts/typed-query'

/** The query of the log for what a person typed and a user: words are codes, names or addresses, anything else is the query itself. */
export function logQuery(typed: string | undefined, user: string | undefined): string | undefined {
  const [text, id] = [typed?.trim() ?? '', user?.trim() ?? '']
  const terms = [
    ...(isQuery(text) ? [`(${text})`] : text.split(/\s+/).filter(Boolean).map(quoted)),
    ...(id === '' ? [] : [`user_id:${quoted(id)}`]),
  ]
  return terms.length === 0 ? undefined : terms.join(' AND ')
}
