// The User-Agent header as it is stored: bounded, and without halves of surrogate pairs, which PostgreSQL refuses.
const MAX_LENGTH = 500

export const storedUserAgent = (header: string | undefined): string | null =>
  header?.slice(0, MAX_LENGTH).toWellFormed() ?? null
