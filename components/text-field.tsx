import type { InputHTMLAttributes, ReactNode } from 'react'

type InputProps = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  | 'type'
  | 'autoComplete'
  | 'autoCapitalize'
  | 'inputMode'
  | 'defaultValue'
  | 'autoFocus'
  | 'required'
  | 'maxLength'
  | 'readOnly'
>

export type FieldProps = InputProps & {
  /** The field's name in the form, and unless `id` is given the id that its label and the error summary refer to. */
  name: string
  /** For a field that a page has several of. */
  id?: string
  label: string
  /** Id of the notice that is about this field. */
  errorId?: string | undefined
  /** Ids of further help, read out after the error. */
  hintId?: string
  /** The rules for a generated password, in the syntax of the attribute `passwordrules`. */
  passwordRules?: string | undefined
  /** Shown inside the field's frame, at its end. */
  adornment?: ReactNode
}

/** A labelled input that keeps the input exactly: no correction, capitalization or spell-check of a credential. */
export function TextField({ name, id = name, label, errorId, hintId, passwordRules, adornment, ...input }: FieldProps) {
  const { type = 'text' } = input
  const describedBy = [errorId, hintId].filter(Boolean).join(' ')
  const generated = passwordRules === undefined ? {} : { passwordrules: passwordRules }
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <div className="field-frame">
        <input
          className="field-input"
          id={id}
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
