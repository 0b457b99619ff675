import type { PasskeyView } from '../lib/pages/view'
import type { Translate } from '../lib/text/catalogue'

type Props = {
  passkey: PasskeyView
  /** What the browser does: creates a credential, or uses one. */
  does: 'create' | 'get'
  /** The value of `action` that the answer is sent with. */
  action: string
  /** The button's words. */
  label: string
  look?: 'primary' | 'secondary'
  /** Among the suggestions of the field with the autocomplete token `webauthn`. */
  autofill?: boolean
  /** Only among these suggestions, so without a button. */
  quiet?: boolean
  t: Translate
}

/**
 * A WebAuthn ceremony within a form. It stays hidden until passkeys.js enables it, so a page without JavaScript has no control
 * without effect; the script presses the hidden button once the browser has answered.
 */
export function PasskeyCeremony({ passkey, does, action, label, look = 'secondary', t, ...how }: Props) {
  const { session, challenge, options, stray } = passkey
  return (
    <div
      className="ceremony"
      data-passkey={does}
      data-challenge={challenge}
      data-options={options}
      data-stray={stray}
      data-autofill={how.autofill ? '' : undefined}
      data-quiet={how.quiet ? '' : undefined}
      hidden
    >
      <input type="hidden" name="passkey_session" value={session} />
      <input type="hidden" name="passkey_response" value="" />
      <button type="button" className={`button button-${look}`}>
        {label}
      </button>
      <p role="status" className="ceremony-status" data-failed={t('passkey.cancelled')} />
      <button type="submit" name="action" value={action} formNoValidate hidden />
    </div>
  )
}

/** The script says in it that this device can create passkeys. */
export const PasskeyCapability = () => <input type="hidden" name="passkeys" value="" data-passkey-capability="" />
