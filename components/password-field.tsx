import type { Translate } from '../lib/text/catalogue'
import { type FieldProps, TextField } from './text-field'

type Props = Pick<FieldProps, 'autoFocus' | 'errorId' | 'passwordRules'> & {
  label?: string
  autoComplete?: 'current-password' | 'new-password'
  hintId?: string
  t: Translate
}

/** The extra controls stay hidden until comfort.js enables them, so no control is without effect. */
export function PasswordField({ label, autoComplete = 'current-password', hintId, t, ...field }: Props) {
  return (
    <div>
      <TextField
        name="password"
        label={label ?? t('login.password')}
        type="password"
        autoComplete={autoComplete}
        hintId={hintId ? `caps-lock ${hintId}` : 'caps-lock'}
        adornment={<RevealButton t={t} />}
        {...field}
      />
      <p className="field-hint" id="caps-lock" data-caps-lock="password" role="status">
        <span hidden>{t('login.caps_lock')}</span>
      </p>
    </div>
  )
}

function RevealButton({ t }: { t: Translate }) {
  return (
    <button
      type="button"
      className="field-reveal"
      hidden
      data-reveal="password"
      data-hide={t('login.hide_password')}
      data-hide-label={t('login.hide_password_label')}
      aria-label={t('login.show_password_label')}
      aria-controls="password"
    >
      {t('login.show_password')}
    </button>
  )
}
