/** Printable, well-formed and bounded: a log line stays one line, and PostgreSQL can store it. */
export function printable(text: string, most: number): string {
  const short = text.length > most ? text.slice(0, most) : text
  return PLAIN.test(short) ? short : short.toWellFormed().replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
}

/** Fast path: most texts need no change. */
const PLAIN = /^[ -~]*$/
