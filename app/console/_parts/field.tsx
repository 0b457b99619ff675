'use client'
import { useId } from 'react'
import type { Field as FieldOf } from '../../../lib/server/next/console/form'
import { say } from '../../../lib/text/console'

type Props = {
  field: FieldOf
  problem?: string | undefined
  /** Whether the label says that the member may be left out. */
  marksOptional: boolean
}

/** The control of one member, with its label and explanation. Its name says how its text is read (lib/server/next/console/form.ts). */
export function Field({ field, problem, marksOptional }: Props) {
  const id = useId()
  const { name, kind, label, help, options, value, required } = field
  const key = `${kind}:${name}`
  const hint = [help, kind === 'lines' ? say('form.lines') : undefined].filter((text) => text !== undefined).join(' ')
  const about =
    [hint === '' ? '' : `${id}-hint`, problem === undefined ? '' : `${id}-problem`].join(' ').trim() || undefined
  const shared = {
    id,
    name: key,
    className: 'co-input',
    'aria-describedby': about,
    'aria-invalid': problem === undefined ? undefined : true,
  } as const
  const text = typeof value === 'string' ? value : ''
  const notes = (
    <>
      {hint !== '' && (
        <p id={`${id}-hint`} className="co-hint">
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p id={`${id}-problem`} className="co-problem">
          {problem}
        </p>
      )}
    </>
  )
  if (kind === 'switch')
    return (
      <div className="co-field">
        <input type="hidden" name={key} value="false" />
        <label className="co-switch">
          <input {...shared} className="co-check" type="checkbox" value="true" defaultChecked={text === 'true'} />
          <span className="co-label">{label}</span>
        </label>
        {notes}
      </div>
    )
  if (kind === 'choices' || kind === 'objects')
    return (
      <fieldset className="co-field" aria-describedby={about}>
        <legend className="co-label">{label}</legend>
        <input type="hidden" name={key} value="" />
        <div className="co-choices">
          {options.map((option) => (
            <label key={option.value} className="co-switch">
              <input
                className="co-check"
                type="checkbox"
                name={key}
                value={option.value}
                defaultChecked={value.includes(option.value)}
              />
              <span>{option.label}</span>
            </label>
          ))}
        </div>
        {notes}
      </fieldset>
    )
  return (
    <div className="co-field">
      <label className="co-label" htmlFor={id}>
        {label}
        {marksOptional && !required && <span className="co-optional"> {say('form.optional')}</span>}
      </label>
      <Control kind={kind} shared={shared} options={options} text={text} required={required} />
      {notes}
    </div>
  )
}

type ControlProps = {
  kind: FieldOf['kind']
  shared: React.InputHTMLAttributes<HTMLElement> & { id: string; name: string }
  options: FieldOf['options']
  text: string
  required: boolean
}

function Control({ kind, shared, options, text, required }: ControlProps) {
  if (kind === 'choice' || options.length > 0)
    return (
      <select {...shared} defaultValue={text} required={required}>
        {!(required && text !== '') && <option value="">{say('form.none')}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )
  if (kind === 'lines' || kind === 'json' || kind === 'long') {
    const rows = Math.min(14, Math.max(kind === 'long' ? 2 : 3, text.split('\n').length + (kind === 'lines' ? 1 : 0)))
    return (
      <textarea
        {...shared}
        className={kind === 'long' ? 'co-input' : 'co-input co-code'}
        defaultValue={text}
        rows={rows}
        required={required}
        spellCheck={kind === 'long'}
      />
    )
  }
  const type = kind === 'number' ? 'number' : kind === 'secret' ? 'password' : 'text'
  return (
    <input
      {...shared}
      type={type}
      step={kind === 'number' ? 'any' : undefined}
      defaultValue={text}
      required={required}
      autoComplete={kind === 'secret' ? 'new-password' : 'off'}
    />
  )
}
