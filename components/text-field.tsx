import type { InputHTMLAttributes, ReactNode } from 'react'

type InputProps = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'autoComplete' | 'autoCapitalize' | 'inputMode' | 'defaultValue' | 'autoFocus' | 'required' | 'maxLength'
>

export type FieldProps = InputProps & {
  /** Both the field's name in the form and the id that labels and the error summary point at. */
  name: string
  label: string
  /** Id of the notice that is about this field. */
  errorId?: string | undefined
  /** Ids of further help, read out after the error. */
  hintId?: string
  /** What a password manager's made-up password must be, in the words of the attribute `passwordrules`. */
  passwordRules?: string | undefined
  /** Stands inside the field's frame, at its end. */
  adornment?: ReactNode
}

/** A labelled input that keeps what was typed exactly: nothing corrects, capitalises or spell-checks a credential. */
export function TextField({ name, label, errorId, hintId, passwordRules, adornment, ...input }: FieldProps) {
  const { type = 'text' } = input
  const describedBy = [errorId, hintId].filter(Boolean).join(' ')
  const generated = passwordRules === undefined ? {} : { passwordrules: passwordRules }
  return (
    <div className="field">
      <label className="field-label" htmlFor={name}>
        {label}
      </label>
      <div className="field-frame">
        <input
          className="field-input"
          id={name}
          name={name}
          type={type}
          required
          dir={type === 'password' ? 'ltr' : 'auto'}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          aria-invalid={errorId ? true : undefined}
          aria-describedby={describedBy || undefined}
          {...generated}
          {...input}
        />
        {adornment}
      </div>
    </div>
  )
}
