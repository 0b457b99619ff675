import type { Translate } from '../lib/pages/texts/messages'
import { TextField } from './text-field'

/** Both the field's name in the form and its id. */
export const CODE_FIELD = 'code'

type Props = {
  label?: string
  errorId?: string | undefined
  hintId?: string
  autoFocus?: boolean
  t: Translate
}

/**
 * A code that was sent or is shown by an app: phones offer it above the keyboard. "123 456" may be typed and pasted as it
 * is read, so nothing here cuts or refuses a space.
 */
export const CodeField = ({ label, autoFocus = true, t, ...field }: Props) => (
  <div className="code-field">
    <TextField
      name={CODE_FIELD}
      label={label ?? t('code.label')}
      autoComplete="one-time-code"
      inputMode="numeric"
      maxLength={20}
      autoFocus={autoFocus}
      {...field}
    />
  </div>
)
