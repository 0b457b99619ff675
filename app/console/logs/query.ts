/** The query of the log for a code and a user; what cannot be part of one is left out. */
export function logQuery(type: string | undefined, user: string | undefined): string | undefined {
  const terms = Object.entries({ type, user_id: user }).flatMap(([name, value]) => {
    const text = (value ?? '').replaceAll('"', '').trim()
    return text === '' ? [] : [`${name}:"${text}"`]
  })
  return terms.length === 0 ? undefined : terms.join(' AND ')
}
