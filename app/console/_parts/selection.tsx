'use client'
import { useRouter } from 'next/navigation'
import { createContext, type ReactNode, use, useEffect, useRef, useState } from 'react'
import { say, sayCount } from '../../../lib/text/console'
import { BulkRun } from './bulk-run'
import { type BulkProgress, runBulk } from './run-bulk'
import { useScripts } from './use-scripts'

/** An operation that is called once for each selected row. */
export type BulkAction = {
  label: string
  /** The name of an operation of the Management API. */
  operation: string
  /** The `:name` of its path that a row's id is. */
  param: string
  body?: Readonly<Record<string, unknown>>
  /** It deletes or ends something: the person types how many rows it is about. */
  danger?: boolean
  /** A member of the body whose value is chosen first; it is a list of this one value. */
  choice?: { member: string; label: string; options: readonly { value: string; label: string }[] }
}

type Selected = ReadonlyMap<string, string>
type Row = { id: string; label: string }

const Context = createContext<{ selected: Selected; select(rows: readonly Row[], isOn: boolean): void } | null>(null)

/** The names in it are of this list, and gone with the tab. */
const storeKey = (name: string): string => `latchkey-console.selected.${name}`

function stored(name: string): Selected {
  try {
    return new Map(JSON.parse(window.sessionStorage.getItem(storeKey(name)) ?? '[]') as [string, string][])
  } catch {
    return new Map()
  }
}

/** Rows are selected over pages and searches, and until a new login is back from where it was requested for. */
export function Selection({
  name,
  actions,
  children,
}: {
  name: string
  actions: readonly BulkAction[]
  children: ReactNode
}) {
  const router = useRouter()
  const [selected, setSelected] = useState<Selected>(new Map())
  const [progress, setProgress] = useState<BulkProgress | null>(null)
  const cancel = useRef<AbortController | null>(null)
  useEffect(() => setSelected(stored(name)), [name])
  const keep = (next: Selected): void => {
    setSelected(next)
    window.sessionStorage.setItem(storeKey(name), JSON.stringify([...next]))
  }
  const select = (rows: readonly Row[], isOn: boolean): void => {
    const next = new Map(selected)
    for (const { id, label } of rows) isOn ? next.set(id, label) : next.delete(id)
    keep(next)
  }
  const run = async (action: BulkAction, value: string): Promise<void> => {
    const stop = new AbortController()
    cancel.current = stop
    const end = await runBulk(action, value, selected, stop.signal, setProgress)
    cancel.current = null
    // What failed, or was not reached, stays selected.
    keep(end.left)
    router.refresh()
  }
  return (
    <Context value={{ selected, select }}>
      <div className="co-list">
        {(selected.size > 0 || progress !== null) && (
          <section className="co-bulk" aria-label={say('bulk.title')}>
            {selected.size > 0 && progress?.isRunning !== true && (
              <BulkChoice count={selected.size} actions={actions} run={run} clear={() => keep(new Map())} />
            )}
            {progress !== null && (
              <BulkRun progress={progress} cancel={() => cancel.current?.abort()} close={() => setProgress(null)} />
            )}
          </section>
        )}
        {children}
      </div>
    </Context>
  )
}

type ChoiceProps = {
  count: number
  actions: readonly BulkAction[]
  run(action: BulkAction, value: string): Promise<void>
  clear(): void
}

function BulkChoice({ count, actions, run, clear }: ChoiceProps) {
  const [requested, ask] = useState<BulkAction | null>(null)
  const begin = (action: BulkAction): void => {
    if (action.danger || action.choice) ask(action)
    else void run(action, '')
  }
  return (
    <>
      <div className="co-bulk-row">
        <p className="co-bulk-count" role="status">
          {sayCount('bulk.selected', count)}
        </p>
        {actions.map((action) => (
          <button
            key={action.label}
            type="button"
            className={action.danger ? 'co-button co-button-small co-button-danger' : 'co-button co-button-small'}
            aria-expanded={action.danger || action.choice ? requested === action : undefined}
            onClick={() => begin(action)}
          >
            {action.label}
          </button>
        ))}
        <button type="button" className="co-link-button" onClick={clear}>
          {say('bulk.clear')}
        </button>
      </div>
      {requested && (
        <Question
          key={requested.label}
          action={requested}
          count={count}
          back={() => ask(null)}
          run={(value) => {
            ask(null)
            void run(requested, value)
          }}
        />
      )}
    </>
  )
}

type QuestionProps = { action: BulkAction; count: number; back(): void; run(value: string): void }

/** What an action asks first: a value, or how many rows it is about. */
function Question({ action: { label, choice, danger }, count, back, run }: QuestionProps) {
  const [value, setValue] = useState('')
  const isReady = choice ? value !== '' : value.trim() === String(count)
  return (
    <form
      className="co-bulk-row"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) run(choice ? value : '')
      }}
    >
      <label htmlFor="bulk-question">{choice ? choice.label : sayCount('bulk.confirm', count)}</label>
      {choice ? (
        <select
          id="bulk-question"
          className="co-input"
          value={value}
          onChange={({ target }) => setValue(target.value)}
          required
        >
          <option value="" />
          {choice.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      ) : (
        <input
          id="bulk-question"
          className="co-input"
          inputMode="numeric"
          autoComplete="off"
          value={value}
          onChange={({ target }) => setValue(target.value)}
        />
      )}
      <button
        type="submit"
        className={danger ? 'co-button co-button-small co-button-danger' : 'co-button co-button-small'}
        disabled={!isReady}
      >
        {label}
      </button>
      <button type="button" className="co-button co-button-small" onClick={back}>
        {say('bulk.back')}
      </button>
    </form>
  )
}

export function RowCheck({ id, label }: Row) {
  const { selected, select } = use(Context) ?? {}
  const hasScripts = useScripts()
  return (
    <label className="co-row-check">
      <input
        type="checkbox"
        className="co-check"
        data-row-check=""
        disabled={!hasScripts}
        aria-label={say('bulk.select', { name: label })}
        checked={selected?.has(id) ?? false}
        onChange={({ target }) => select?.([{ id, label }], target.checked)}
      />
    </label>
  )
}

/** All rows of the page that is shown. */
export function PageCheck({ rows }: { rows: readonly Row[] }) {
  const { selected, select } = use(Context) ?? {}
  const chosen = rows.filter(({ id }) => selected?.has(id)).length
  const hasScripts = useScripts()
  const isAll = rows.length > 0 && chosen === rows.length
  return (
    <label className="co-row-check">
      <input
        type="checkbox"
        className="co-check"
        aria-label={say('bulk.select_page')}
        disabled={!hasScripts}
        checked={isAll}
        ref={(box) => {
          if (box) box.indeterminate = chosen > 0 && !isAll
        }}
        onChange={({ target }) => select?.(rows, target.checked)}
      />
    </label>
  )
}
