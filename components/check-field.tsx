type Props = {
  name: string
  label: string
  required: boolean
  checked: boolean
  errorId?: string | undefined
}

/** A checkbox with a label; posts `true`, or nothing. */
export function CheckField({ name, label, required, checked, errorId }: Props) {
  return (
    <label className="check" htmlFor={name}>
      <input
        className="check-box"
        type="checkbox"
        id={name}
        name={name}
        value="true"
        required={required}
        defaultChecked={checked}
        aria-invalid={errorId ? true : undefined}
        aria-describedby={errorId}
      />
      <span>{label}</span>
    </label>
  )
}
