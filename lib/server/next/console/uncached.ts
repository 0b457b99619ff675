import { STRICT_HEADERS } from '../../../http/headers'

/** The headers of what a console route answers itself, beside the pages: no cache keeps it. */
export const UNCACHED: Readonly<Record<string, string>> = { ...STRICT_HEADERS, 'cache-control': 'no-store' }
