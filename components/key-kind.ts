import type { FactorKind, KeyKind } from '../lib/pages/view'

/** Whether the browser asks for the proof of the factor. */
export const isKey = (kind: FactorKind): kind is KeyKind => kind === 'webauthn-roaming' || kind === 'webauthn-platform'
