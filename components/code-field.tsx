import type { Translate } from '../lib/text/catalogue'
import { TextField } from './text-field'

/** The field's name in the form, and its id. */
export const CODE_FIELD = 'code'

type Props = {
  label?: string
  errorId?: string | undefined
  hintId?: string
  autoFocus?: boolean
  t: Translate
}

/**
 * A field for a code that was sent or that an app shows: phones suggest the code above the keyboard. Users may type and paste
 * "123 456" as displayed, so the field neither shortens the input nor refuses a space.
 */
export const CodeField = ({ label, autoFocus = true, t, ...field }: Props) => (
  <div className="code-field">
    <TextField
      name={CODE_FIELD}
      label={label ?? t('code.label')}
      autoComplete="one-time-code"
      inputMode="numeric"
      maxLength={60}
      autoFocus={autoFocus}
      {...field}
    />
  </div>
)
