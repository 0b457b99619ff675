import type { ReactNode } from 'react'

type Props = {
  /** The button's value of `action`. */
  value: string
  look?: 'primary' | 'secondary' | 'quiet'
  /** For a button that must work while required fields are empty. */
  skipValidation?: boolean
  children: ReactNode
}

export function SubmitButton({ value, look = 'primary', skipValidation = false, children }: Props) {
  return (
    <button
      type="submit"
      name="action"
      value={value}
      className={`button button-${look}`}
      formNoValidate={skipValidation}
    >
      {children}
    </button>
  )
}
