import type { ReactNode } from 'react'

type Choice = { value: string; label: ReactNode }

type Props = {
  name: string
  legend: ReactNode
  choices: readonly Choice[]
  /** The value that is chosen at first. */
  chosen: string | null | undefined
  required?: boolean
}

/** A group of radio buttons. */
export const Choices = ({ name, legend, choices, chosen, required }: Props) => (
  <fieldset className="portal-choices">
    <legend className="field-label">{legend}</legend>
    {choices.map(({ value, label }) => (
      <label key={value} className="check">
        <input
          className="check-box"
          type="radio"
          name={name}
          value={value}
          defaultChecked={value === chosen}
          required={required}
        />
        {label}
      </label>
    ))}
  </fieldset>
)
