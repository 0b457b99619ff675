import type { PasskeySignal } from '../lib/pages/view'

/** passkeys.js passes them on to the browser; nothing is shown. */
export const PasskeySignals = ({ signals }: { signals: readonly PasskeySignal[] }) =>
  signals.length > 0 && <div data-passkey-signals={JSON.stringify(signals)} hidden />
