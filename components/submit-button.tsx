import type { ReactNode } from 'react'

type Props = {
  /** What the form posts as `action`. */
  value: string
  look?: 'primary' | 'secondary' | 'quiet'
  /** For a way out that must work while fields are still empty. */
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
