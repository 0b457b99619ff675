// Failures of the network as actions see them: a code, and the code in words.
import { inWords } from '../../../kernel/network-failure'

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : error instanceof Error ? error.name : 'EUNKNOWN'

export const failure = (code: string): Error => Object.assign(new Error(inWords(code)), { code })
