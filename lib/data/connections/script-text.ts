// The text of a script of a connection.
import * as z from 'zod'

/** The vendor's limit, in characters. */
const MAX_SCRIPT = 100_000

export const scriptText = z.string().min(1).max(MAX_SCRIPT).optional()
