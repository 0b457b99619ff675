'use client'
import { type ReactNode, useRef, useState } from 'react'
import { controlId, type Field as FieldOf, UNITS, unsetMark } from '../../../lib/server/next/console/field'
import { lineProblem } from '../../../lib/server/next/console/text-check'
import { say } from '../../../lib/text/console'
import { CodeField } from './code-field'
import { type ControlledField, isAbout, type Refusal } from './field-props'
import { FromFile } from './from-file'
import { Marked } from './marked'
import { describedBy, Notes } from './notes'
import { PickField } from './pick-field'
import { RowsField } from './rows-field'
import './field.css'

/** The control of one member, with its label and explanation. Its name says how its text is read (lib/server/next/console/form-values.ts). */
export function Field(props: ControlledField) {
  const { kind } = props.field
  if (kind === 'group') return <GroupField {...props} />
  if (kind === 'rows' || kind === 'list' || kind === 'pairs') return <RowsField {...props} Cell={Field} />
  if (kind === 'choices' || kind === 'objects') return <ChoicesField {...props} />
  if (props.field.search) return <PickField {...props} search={props.field.search} Plain={OneField} />
  return <OneField {...props} />
}

function GroupField({ field: { name, label, help, fields = [] }, ...props }: ControlledField) {
  return (
    <fieldset className="co-group" id={controlId(props.formId, name)} tabIndex={-1}>
      <legend className="co-label">{label}</legend>
      {help && (
        <p className="co-hint">
          <Marked text={help} />
        </p>
      )}
      {fields.map((each) => (
        <Field key={each.name} {...props} field={each} />
      ))}
    </fieldset>
  )
}

function ChoicesField({ field, formId, refusal }: ControlledField) {
  const { name, kind, label, help, options, value } = field
  const id = controlId(formId, name)
  const key = `${kind}:${name}`
  const problem = isAbout(refusal, name) ? refusal.message : undefined
  return (
    <fieldset className="co-field" id={id} tabIndex={-1} aria-describedby={describedBy(id, help, problem)}>
      <legend className="co-label">{label}</legend>
      <input type="hidden" name={key} value={unsetMark(field)[0] ?? ''} />
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
      <Notes id={id} hint={help} problem={problem} />
    </fieldset>
  )
}

function OneField({ field, formId, refusal, marksOptional, controlName }: ControlledField) {
  const { name, kind, label, help, value, required } = field
  const id = controlId(formId, name)
  const [text, setText] = useState<string | null>(null)
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined)
  const own = text === null ? null : lineProblem(field, text)
  const problem = own ?? (isAbout(refusal, name) ? messageAt(field, refusal, text) : undefined)
  const hint = [
    kind === 'secret' ? secretHint(field) : undefined,
    help,
    field.unset === undefined || isSelect(field) ? undefined : `${field.unset}.`,
    kind === 'lines' ? say('form.lines') : undefined,
  ]
    .filter((each) => each !== undefined)
    .join(' ')
  const control = {
    id,
    name: controlName ?? `${kind}:${name}`,
    className: 'co-input',
    'aria-describedby': describedBy(id, hint, problem),
    'aria-invalid': problem === undefined ? undefined : true,
    // A text is judged once the person pauses: never as the control is left, where the page would move below a click.
    onChange: ({ currentTarget: { value: typed } }: React.ChangeEvent<Typed>) => {
      clearTimeout(typing.current)
      typing.current = setTimeout(() => setText(typed), PAUSE)
    },
  } as const
  const notes = <Notes id={id} hint={hint} problem={problem} />
  if (kind === 'switch')
    return (
      <div className="co-field">
        <input type="hidden" name={control.name} value="false" />
        <label className="co-switch">
          <input {...control} className="co-check" type="checkbox" value="true" defaultChecked={value === 'true'} />
          <span className="co-label">{label}</span>
        </label>
        {notes}
      </div>
    )
  return (
    <div className="co-field">
      <label className="co-label" htmlFor={id}>
        {label}
        {marksOptional && !required && <span className="co-optional"> {say('form.optional')}</span>}
      </label>
      <Control field={field} control={control} />
      {FROM_FILE.has(field.format ?? '') && <FromFile id={id} label={label} />}
      {field.notes && field.notes.length > 0 && (
        <ul className="co-hint co-notes">
          {field.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {notes}
    </div>
  )
}

const FROM_FILE: ReadonlySet<string> = new Set(['certificate', 'metadata'])

/** Milliseconds. */
const PAUSE = 500

type Typed = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const secretHint = ({ isStored }: FieldOf): string | undefined =>
  isStored === undefined ? undefined : say(isStored ? 'form.secret.kept' : 'form.secret.unset')

/** `callbacks.1`: which line, counted as the person sees them. */
function messageAt({ name, kind, value }: FieldOf, { place, message }: Refusal, typed: string | null): string {
  const [, index] = /^\.(\d+)/.exec(place.slice(name.length)) ?? []
  if (kind !== 'lines' || index === undefined) return message
  const filled = (typed ?? String(value)).split('\n').flatMap((line, place) => (line.trim() === '' ? [] : [place + 1]))
  return say('form.line', { line: String(filled[Number(index)] ?? Number(index) + 1), message })
}

/** One of a few values, and its empty choice says what holds without one. */
const isSelect = ({ kind, options, search }: FieldOf): boolean => kind === 'choice' || (options.length > 0 && !search)

type ControlProps = {
  field: FieldOf
  control: {
    id: string
    name: string
    className: string
    onChange(event: React.ChangeEvent<Typed>): void
  }
}

function Control({ field, control }: ControlProps): ReactNode {
  const { kind, options, value, required } = field
  const text = typeof value === 'string' ? value : ''
  if (kind === 'duration') return <Duration field={field} control={control} />
  if (isSelect(field))
    return (
      <select {...control} defaultValue={text} required={required}>
        {!(required && text !== '') && (
          <option value="">{required ? say('form.choose') : (field.unset ?? say('form.none'))}</option>
        )}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )
  if (field.syntax) return <CodeField field={field} control={control} syntax={field.syntax} />
  if (kind === 'lines' || kind === 'json' || kind === 'long') {
    const rows = Math.min(14, Math.max(kind === 'long' ? 2 : 3, text.split('\n').length + (kind === 'lines' ? 1 : 0)))
    return (
      <textarea
        {...control}
        className={kind === 'long' ? 'co-input' : 'co-input co-code'}
        defaultValue={text}
        rows={rows}
        required={required}
        spellCheck={kind === 'long'}
      />
    )
  }
  if (kind === 'secret' && field.isLong)
    return (
      <textarea
        {...control}
        className="co-input co-code"
        rows={4}
        autoComplete="off"
        spellCheck={false}
        required={required}
      />
    )
  return (
    <input
      {...control}
      type={kind === 'number' ? 'number' : kind === 'secret' ? 'password' : 'text'}
      step={kind === 'number' ? 'any' : undefined}
      defaultValue={text}
      required={required}
      autoComplete={kind === 'secret' ? 'new-password' : 'off'}
    />
  )
}

function Duration({ field: { value, label, unit = 'seconds', required }, control }: ControlProps) {
  const [amount = '', factor] = value
  return (
    <div className="co-duration">
      <input
        {...control}
        type="number"
        step="any"
        min={0}
        defaultValue={amount}
        required={required}
        autoComplete="off"
      />
      <select
        className="co-input"
        name={control.name}
        defaultValue={factor}
        aria-label={`${label}: ${say('form.unit')}`}
      >
        {[...UNITS[unit]].reverse().map(([each, word]) => (
          <option key={each} value={each}>
            {say(word)}
          </option>
        ))}
      </select>
    </div>
  )
}
