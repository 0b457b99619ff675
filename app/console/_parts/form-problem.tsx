'use client'
import type { ReactNode } from 'react'
import { controlId, type Field, leavesOf, readableOf, withTexts } from '../../../lib/server/next/console/field'
import { changedMembers, partOf, rootOf, type Texts } from '../../../lib/server/next/console/form-values'
import type { FormState } from '../../../lib/server/next/console/submit'
import { say } from '../../../lib/text/console'
import { keepAll } from './drafts'
import { isAbout } from './field-props'
import type { FormPanel } from './form'

type Shown = FormState | { status: 'unreachable' | 'failed' } | { status: 'restored'; hadSecret: boolean }

type Panels = readonly Pick<FormPanel, 'id' | 'title' | 'part'>[]

type ProblemProps = {
  state: Shown
  fields: readonly Field[]
  panels: Panels | undefined
  formId: string
  scripted: boolean
  children?: ReactNode
}

/** Why a form was not saved, and what to do. */
export function Problem({ state, fields, panels = [], formId, scripted, children }: ProblemProps) {
  if (state.status === 'new' || state.status === 'done' || state.status === 'left') return null
  if (state.status === 'restored')
    return (
      <p className="notice" role="status">
        {say(state.hadSecret ? 'form.restored.secrets' : 'form.restored')}
      </p>
    )
  return (
    <div className="notice notice-error co-form-problem" role="alert" tabIndex={-1}>
      {state.status === 'refused' && <Refused {...state} fields={fields} panels={panels} formId={formId} />}
      {state.status === 'unconfirmed' && <p>{say('form.confirm.wrong')}</p>}
      {state.status === 'unreachable' && <p>{say('form.unreachable')}</p>}
      {state.status === 'failed' && <p>{say('form.failed')}</p>}
      {state.status === 'stale' && <p>{say(fields.length === 0 ? 'form.stale.plain' : 'form.stale')}</p>}
      {state.status === 'step-up' && (
        <>
          <p>{say('form.step_up')}</p>
          {scripted ? (
            <a className="link" href={state.to} data-keeps="" onClick={keepAll}>
              {say('form.step_up.go')}
            </a>
          ) : (
            <a className="link" href={state.to} target="_blank" rel="noreferrer">
              {say('form.step_up.tab')}
            </a>
          )}
        </>
      )}
      {'saved' in state && state.saved !== undefined && (
        <p>{say('form.partly.saved', { saved: titlesOf(state.saved.split(' '), panels).join(', ') })}</p>
      )}
      {children}
    </div>
  )
}

const titlesOf = (parts: readonly string[], panels: Panels): string[] => [
  ...new Set(parts.map((part) => panels.find((panel) => panel.part === part)?.title ?? part)),
]

type RefusedProps = { message: string; field: string | null; fields: readonly Field[]; panels: Panels; formId: string }

function Refused({ message, field: place, fields, panels, formId }: RefusedProps) {
  const field = place === null ? undefined : leavesOf(fields).find(({ name }) => isAbout({ place, message }, name))
  const panel = place === null ? undefined : panels.find(({ part }) => part !== undefined && part === partOf(place))
  if (!field && panel)
    return (
      <p>
        <a className="link" href={`#${panel.id}`}>
          {panel.title}
        </a>
        {': '}
        {message}
      </p>
    )
  if (!field) return <p>{place === null || place.endsWith('/') ? message : `${place}: ${message}`}</p>
  const [, index] = /^\.(\d+)/.exec((place ?? '').slice(field.name.length)) ?? []
  const line = index === undefined ? null : String(Number(index) + 1)
  const where = field.kind === 'lines' ? 'form.line' : 'form.row'
  return (
    <p>
      <a className="link" href={`#${encodeURIComponent(controlId(formId, field.name))}`}>
        {field.label}
      </a>
      {': '}
      {line === null ? message : say(where, { line, message })}
    </p>
  )
}

type StaleProps = {
  /** With what is stored now. */
  fields: readonly Field[]
  sent: Texts
  was: Texts
  here: string
  /** Null without scripts: then the page is loaded again. */
  takeTheirs: (() => void) | null
}

/** What another person changed, beside what the person did. */
export function Stale({ fields, sent, was, here, takeTheirs }: StaleProps) {
  const mine = new Set(changedMembers(sent, was))
  const rows = leavesOf(fields).flatMap((field) => {
    const [yours, now, before] = [withTexts(field, sent), field, withTexts(field, was)].map(readableOf)
    const concerns = mine.has(rootOf(field.name)) && yours !== now
    return concerns || now !== before
      ? [{ name: field.name, label: field.label, yours: concerns ? yours : now, now, before }]
      : []
  })
  return (
    <>
      {rows.length > 0 && (
        <div className="co-diff">
          <table>
            <thead>
              <tr>
                <th scope="col">{say('form.stale.member')}</th>
                <th scope="col">{say('form.stale.yours')}</th>
                <th scope="col">{say('form.stale.now')}</th>
                <th scope="col">{say('form.stale.before')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ name, label, yours, now, before }) => (
                <tr key={name}>
                  <th scope="row">{label}</th>
                  <td data-title={say('form.stale.yours')}>{yours}</td>
                  <td data-title={say('form.stale.now')}>{now}</td>
                  <td data-title={say('form.stale.before')}>{before}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p>{say('form.stale.mine')}</p>
      {takeTheirs ? (
        <button type="button" className="co-button co-button-small" onClick={takeTheirs}>
          {say('form.stale.theirs')}
        </button>
      ) : (
        <a className="link" href={here}>
          {say('form.stale.theirs')}
        </a>
      )}
    </>
  )
}
