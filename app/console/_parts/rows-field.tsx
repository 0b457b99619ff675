'use client'
import { type ComponentType, useRef, useState } from 'react'
import {
  cellKey,
  cellsOf,
  controlId,
  type Field as FieldOf,
  type Row,
  rowsIn,
} from '../../../lib/server/next/console/field'
import { say } from '../../../lib/text/console'
import { type ControlledField, isAbout, type Refusal } from './field-props'
import { Marked } from './marked'
import { useScripts } from './use-scripts'

/** How many empty rows there are where no script can add one. */
const SPARE = 3

type Entry = { id: number; cells: Row }

/** A list as rows, each with its cells. Without scripts, a row is added in an empty one, and removed by emptying it. */
export function RowsField({
  field,
  formId,
  refusal,
  Cell,
}: ControlledField & { Cell: ComponentType<ControlledField> }) {
  const { name, kind, label, help } = field
  const [entries, setEntries] = useState<Entry[]>(() => rowsIn(field).map((cells, id) => ({ id, cells })))
  const next = useRef(entries.length)
  const list = useRef<HTMLFieldSetElement>(null)
  const scripted = useScripts()
  const id = controlId(formId, name)
  const change = (changed: Entry[], focus: string): void => {
    setEntries(changed)
    // What a person has changed is read from the controls, once they are there.
    requestAnimationFrame(() => {
      list.current?.dispatchEvent(new Event('input', { bubbles: true }))
      const found = document.getElementById(focus)
      const target = found?.matches('input, select, textarea, button')
        ? found
        : found?.querySelector<HTMLElement>('button')
      ;(target ?? list.current)?.focus()
    })
  }
  const add = (): void => {
    next.current += 1
    const place = entries.length
    change([...entries, { id: next.current, cells: cellsOf(field) }], cellId(id, place, field))
  }
  const remove = (place: number): void => change(entries.toSpliced(place, 1), `${id}-add`)
  const move = (place: number, to: number): void => {
    const moved = entries.toSpliced(place, 1).toSpliced(to, 0, entries[place] as Entry)
    change(moved, `${id}-row-${to}`)
  }
  const ordered = kind !== 'pairs'
  const isOfCell = ordered && /^\.\d+/.test(refusal?.place.slice(name.length) ?? '')
  const problem = isAbout(refusal, name) && !isOfCell ? refusal : undefined
  return (
    <fieldset ref={list} className={`co-field co-rows-field co-rows-${kind}`} id={id} tabIndex={-1}>
      <legend className="co-label">{label}</legend>
      {help && (
        <p className="co-hint">
          <Marked text={help} />
        </p>
      )}
      <input type="hidden" name={`${kind}:${name}`} value="" />
      {entries.length === 0 && scripted && <p className="co-hint">{say('form.rows.none')}</p>}
      {entries.map((entry, place) => (
        <div key={entry.id} className="co-cells" id={`${id}-row-${place}`}>
          <Cells {...{ field, formId, refusal, place, Cell }} cells={entry.cells} />
          {scripted && (
            <div className="co-cells-do">
              {ordered && place > 0 && (
                <Step label="form.rows.up" row={place + 1} sign="↑" act={() => move(place, place - 1)} />
              )}
              {ordered && place < entries.length - 1 && (
                <Step label="form.rows.down" row={place + 1} sign="↓" act={() => move(place, place + 1)} />
              )}
              <Step label="form.rows.remove" row={place + 1} sign="×" act={() => remove(place)} />
            </div>
          )}
        </div>
      ))}
      {scripted ? (
        <button type="button" id={`${id}-add`} className="co-button co-button-small co-rows-add" onClick={add}>
          {say('form.rows.add')}
        </button>
      ) : (
        <noscript>
          {Array.from({ length: SPARE }, (_, spare) => entries.length + spare).map((place) => (
            <div key={place} className="co-cells">
              <Cells {...{ field, formId, place, Cell }} cells={cellsOf(field).map(optional)} />
            </div>
          ))}
          <p className="co-hint">{say('form.rows.hint')}</p>
        </noscript>
      )}
      {problem && (
        <p id={`${id}-problem`} className="co-problem">
          {problem.message}
        </p>
      )}
    </fieldset>
  )
}

const optional = (cell: FieldOf): FieldOf => ({ ...cell, required: false })

/** The first cell of a row. */
const cellId = (id: string, place: number, { fields = [] }: FieldOf): string =>
  `${id}.${place}${fields[0]?.name ? `.${fields[0].name}` : ''}`

type CellsProps = {
  Cell: ComponentType<ControlledField>
  field: FieldOf
  formId: string
  refusal?: Refusal | undefined
  place: number
  cells: Row
}

function Cells({ field, formId, refusal, place, cells, Cell }: CellsProps) {
  return cells.map((cell) =>
    cell.name === '#rest' ? (
      <input key="#rest" type="hidden" name={cellKey(field.name, place, cell)} value={String(cell.value)} />
    ) : (
      <Cell
        key={cell.name}
        formId={formId}
        field={{
          ...cell,
          label: cell.label || field.label,
          name: `${field.name}.${place}${cell.name === '' ? '' : `.${cell.name}`}`,
        }}
        controlName={cellKey(field.name, place, cell)}
        refusal={refusal}
        marksOptional={false}
      />
    ),
  )
}

type StepProps = {
  label: 'form.rows.up' | 'form.rows.down' | 'form.rows.remove'
  row: number
  sign: string
  act(): void
}

const Step = ({ label, row, sign, act }: StepProps) => (
  <button
    type="button"
    className="co-button co-button-small co-cells-step"
    aria-label={say(label, { row: String(row) })}
    title={say(label, { row: String(row) })}
    onClick={act}
  >
    <span aria-hidden="true">{sign}</span>
  </button>
)
