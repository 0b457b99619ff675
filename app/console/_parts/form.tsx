'use client'
import { usePathname, useSearchParams } from 'next/navigation'
import { type FormEvent, type ReactNode, startTransition, use, useActionState, useId } from 'react'
import type { Field as FieldOf } from '../../../lib/server/next/console/form'
import type { FormState } from '../../../lib/server/next/console/submit'
import { say } from '../../../lib/text/console'
import { submit } from './actions'
import { Field } from './field'
import { leaving } from './leaving'
import { Reveal } from './reveal'

export type FormProps = {
  /** The name of an operation of the Management API: `clients.update`. */
  operation: string
  /** Values of the `:name` segments of its path. */
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  /** Members that the form fixes, or a list that is the whole body. */
  body?: Readonly<Record<string, unknown>> | readonly unknown[]
  fields?: readonly FieldOf[]
  /** What its controls show at first; absent for something new. */
  was?: string
  /** The entity tag of what the form shows: a change by someone else is then noticed. */
  tag?: string
  /** What the server proposes where the person leaves it empty: the origins of the callbacks. */
  proposes?: 'web_origins'
  submitLabel: string
  danger?: boolean
  /** The person types this to confirm. */
  confirm?: string
  /** Where to go afterwards, with `{id}` for the id of what was made; this page without it. */
  next?: string
  /** What this page says afterwards. */
  done?: 'saved' | 'created' | 'deleted' | 'done'
  children?: ReactNode
}

const START: FormState = { status: 'new' }

/** A form that calls one operation. It works without JavaScript. */
export function Form(props: FormProps) {
  const { operation, params, query, body, fields = [], tag, submitLabel, danger, confirm, next, children } = props
  const [state, act, busy] = useActionState(submit, START)
  const id = useId()
  const here = useHere()
  // Until the browser has left, the form stays as it was sent.
  if (state.status === 'left') use(leaving(state))
  if (state.status === 'done') return <Reveal value={state.revealed} next={state.next} />
  const refused = state.status === 'refused' ? state : null
  // Where the form itself calls its action, React empties it afterwards, also if it was refused.
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const sent = new FormData(event.currentTarget)
    startTransition(() => act(sent))
  }
  return (
    <form action={act} onSubmit={send} className="co-form" aria-busy={busy}>
      <Hidden name="_operation" value={operation} />
      <Hidden name="_here" value={here} />
      <Hidden name="_done" value={props.done ?? 'saved'} />
      {params && <Hidden name="_params" value={JSON.stringify(params)} />}
      {query && <Hidden name="_query" value={JSON.stringify(query)} />}
      {body && <Hidden name="_body" value={JSON.stringify(body)} />}
      {props.was !== undefined && <Hidden name="_was" value={props.was} />}
      {tag !== undefined && <Hidden name="_ifMatch" value={tag} />}
      {next !== undefined && <Hidden name="_next" value={next} />}
      {props.proposes && <Hidden name="_proposes" value={props.proposes} />}
      <Problem state={state} fields={fields} here={here} />
      {fields.map((field) => (
        <Field
          key={field.name}
          field={refused ? asSent(field, refused.sent) : field}
          marksOptional={props.was === undefined}
          problem={isAbout(refused?.field, field.name) ? refused?.message : undefined}
        />
      ))}
      {props.proposes && <p className="co-hint">{say('applications.new.origins')}</p>}
      {children}
      {confirm !== undefined && (
        <div className="co-field">
          <Hidden name="_confirm" value={confirm} />
          <label className="co-label" htmlFor={`${id}-typed`}>
            {say('form.confirm', { word: confirm })}
          </label>
          <input id={`${id}-typed`} className="co-input" name="_typed" autoComplete="off" required />
        </div>
      )}
      <div className="co-form-foot">
        <button
          type="submit"
          className={
            danger ? 'co-button co-button-danger' : fields.length === 0 ? 'co-button' : 'co-button co-button-primary'
          }
          disabled={busy}
        >
          {busy ? say('form.working') : submitLabel}
        </button>
      </div>
    </form>
  )
}

/** Without JavaScript the page is made again, with what the person had put in. */
function asSent(field: FieldOf, sent: string): FieldOf {
  const values = (JSON.parse(sent) as Record<string, string[]>)[`${field.kind}:${field.name}`]
  if (values === undefined) return field
  return { ...field, value: typeof field.value === 'string' ? (values.at(-1) ?? '') : values }
}

const Hidden = ({ name, value }: { name: string; value: string }) => <input type="hidden" name={name} value={value} />

/** This page's address without what it says about the form before. */
function useHere(): string {
  const path = usePathname()
  const query = new URLSearchParams(useSearchParams())
  query.delete('done')
  return query.size === 0 ? path : `${path}?${query}`
}

/** `callbacks.0` is about `callbacks`. */
const isAbout = (place: string | null | undefined, name: string): boolean =>
  place === name || place?.startsWith(`${name}.`) === true

function Problem({ state, fields, here }: { state: FormState; fields: readonly FieldOf[]; here: string }) {
  if (state.status === 'new' || state.status === 'done' || state.status === 'left') return null
  const field = state.status === 'refused' ? fields.find(({ name }) => isAbout(state.field, name)) : undefined
  return (
    <div className="notice notice-error" role="alert">
      {state.status === 'refused' && (
        <p>
          {field ? `${field.label}: ` : state.field === null ? '' : `${state.field}: `}
          {state.message}
        </p>
      )}
      {state.status === 'unconfirmed' && <p>{say('form.confirm.wrong')}</p>}
      {state.status === 'stale' && (
        <>
          <p>{say('form.stale')}</p>
          <a className="link" href={here}>
            {say('form.reload')}
          </a>
        </>
      )}
      {state.status === 'step-up' && (
        <>
          <p>{say('form.step_up')}</p>
          <a className="link" href={state.to}>
            {say('form.step_up.go')}
          </a>
        </>
      )}
    </div>
  )
}
