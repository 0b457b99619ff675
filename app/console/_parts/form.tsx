'use client'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import {
  type FormEvent,
  Fragment,
  type ReactNode,
  useActionState,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  useTransition,
} from 'react'
import {
  controlId,
  type Field as FieldOf,
  labelledWithin,
  leavesOf,
  shownValues,
  withTexts,
} from '../../../lib/server/next/console/field'
import {
  changedMembers,
  partOf,
  pathIn,
  rootOf,
  sentValues,
  type Texts,
  textsFrom,
  textsOf,
} from '../../../lib/server/next/console/form-values'
import type { FormPart, FormState } from '../../../lib/server/next/console/submit'
import { say } from '../../../lib/text/console'
import { submit } from './actions'
import { announce, noteArrival, savesSoFar } from './done-store'
import { keepAll, keepDraft, keepOthers, takeDraft, useKeeping } from './drafts'
import { type Fact, Facts } from './facts'
import { Field } from './field'
import { isAbout } from './field-props'
import { Problem, Stale } from './form-problem'
import { leaving, showedSecret } from './leaving'
import { Panel } from './panel'
import { Reveal } from './reveal'
import { SaveBar } from './save-bar'
import { forgetUndo, keepUndo } from './undo-store'
import { useWarning } from './unsaved'
import { useScripts } from './use-scripts'

/** A group of a form's fields, with what the person may only read of it. */
export type FormPanel = {
  id: string
  title: string
  lead?: string | undefined
  fields: readonly FieldOf[]
  facts: readonly Fact[]
  /** The operation of its members, in a form of several. */
  part?: string
  /** Further fields, each group folded away. */
  folds?: readonly { title: string; fields: readonly FieldOf[] }[]
}

export type FormProps = {
  /** The name of an operation of the Management API: `clients.update`; absent in a form of several. */
  operation?: string
  /** The operations of a form of several, whose names the fields begin with (form-values.ts). */
  parts?: readonly FormPart[]
  /** What the ids of its controls begin with, where links lead to them: the name of the operation. */
  id?: string
  /** Values of the `:name` segments of its path. */
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  /** Members that the form fixes, or a list that is the whole body. */
  body?: Readonly<Record<string, unknown>> | readonly unknown[]
  fields?: readonly FieldOf[]
  /** The same as panels of the page, with one button for all. */
  panels?: readonly FormPanel[]
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
  /** What takes the change back, where the form fixes what is sent. */
  undo?: { operation: string; body: unknown }
  /** Where to go afterwards, with `{id}` for the id of what was made; this page without it. */
  next?: string
  /** What this page says afterwards. */
  done?: 'saved' | 'created' | 'deleted' | 'done' | 'undone'
  children?: ReactNode
}

const START: FormState = { status: 'new' }

type Answer = FormState | { status: 'unreachable' | 'failed' } | { status: 'restored'; hadSecret: boolean }

/** What the form compares with: it stays as it was when the person began, whatever the page shows since. */
type Opened = { was: string | undefined; tag: string | undefined; fields: readonly FieldOf[]; version: number }

/** A form that calls one operation or several. It works without JavaScript, and keeps what a person entered until it is saved. */
export function Form(props: FormProps) {
  const { operation, parts, params, query, body, danger, confirm, next, children, panels } = props
  const tag = parts ? JSON.stringify(parts) : props.tag
  const fields = props.fields ?? panels?.flatMap(fieldsOfPanel) ?? []
  const [posted, act] = useActionState(submit, START)
  const [answered, setAnswer] = useState<Answer | null>(null)
  const [busy, start] = useTransition()
  const [unsaved, setUnsaved] = useState<readonly string[]>([])
  const [opened, setOpened] = useState<Opened>(() => openedWith(props.was, tag, fields, posted))
  const [staleAt, setStaleAt] = useState(0)
  /** How often it was saved while the page stayed, and what was sent last. */
  const [{ saves, saved }, setSaved] = useState({ saves: 0, saved: '{}' })
  /** The operations that were done before another was refused. */
  const [savedParts, setSavedParts] = useState<readonly string[]>([])
  const othersSaved = useRef(0)
  /** How many forms were saved when this one was in part. */
  const partlyAt = useRef(0)
  const element = useRef<HTMLFormElement>(null)
  const scripted = useScripts()
  const router = useRouter()
  const generated = useId()
  const id = props.id ?? generated
  const here = useHere()
  const state = answered ?? posted
  const key = JSON.stringify([operation, params, query, leavesOf(fields).map(({ name }) => name)])
  const refusal =
    state.status === 'refused' && state.field !== null ? { place: state.field, message: state.message } : undefined

  const textsNow = useCallback(
    (): Record<string, string[]> => (element.current ? textsOf(new FormData(element.current)) : {}),
    [],
  )
  const readUnsaved = useCallback((): void => {
    setUnsaved(changedMembers(textsNow(), textsFrom(opened.was ?? shownValues(opened.fields)), (path) => path))
  }, [opened, textsNow])
  /** The controls again, with these texts where the person had changed something. */
  const showAgain = useCallback(
    (sent: Texts, was: string | null, base: readonly FieldOf[]): void => {
      setOpened(({ version }) => ({
        was: props.was,
        tag,
        fields: base.map((field) => mergedField(field, sent, was)),
        version: version + 1,
      }))
    },
    [props.was, tag],
  )
  const keep = useCallback((): void => {
    if (!element.current) return
    const texts = textsNow()
    const sent = JSON.stringify(sentValues(new FormData(element.current)))
    const isTyped = (textsFrom(sent)._typed?.[0] ?? '') !== ''
    if (!isTyped && changedMembers(texts, textsFrom(opened.was ?? shownValues(opened.fields))).length === 0) return
    const hadSecret = Object.entries(texts).some(([name, [text]]) => name.startsWith('secret:') && text)
    keepDraft(key, { sent, was: opened.was ?? null, hadSecret })
  }, [key, opened, textsNow])
  useKeeping(keep)

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is there.
  useEffect(() => {
    const draft = takeDraft(key)
    if (draft === null) return
    const sent = textsFrom(draft.sent)
    showAgain(sent, draft.was, fields)
    setAnswer({ status: 'restored', hadSecret: draft.hadSecret })
    const typed = element.current?.elements.namedItem('_typed')
    if (typed instanceof HTMLInputElement) typed.value = sent._typed?.[0] ?? ''
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the person has changed is read again where the controls are new.
  useEffect(readUnsaved, [opened.version])
  // The page has what is stored by now: the form shows it, with what the person had changed.
  useEffect(() => {
    if (answered?.status !== 'stale' || opened.tag === tag) return
    showAgain(textsFrom(answered.sent), answered.was, fields)
  }, [answered, opened.tag, tag, fields, showAgain])
  // A form without changes shows what the page shows; one with changes keeps them where it is new because another form of the page was saved.
  useEffect(() => {
    if (opened.tag === tag || answered?.status === 'stale') return
    // What was saved in part is taken back.
    if (answered && 'saved' in answered && savesSoFar() > partlyAt.current) setAnswer(START)
    if (unsaved.length === 0) setOpened(({ version }) => ({ was: props.was, tag, fields, version: version + 1 }))
    else if (savesSoFar() > othersSaved.current) showAgain(textsNow(), opened.was ?? null, fields)
    othersSaved.current = savesSoFar()
  }, [opened, tag, props.was, fields, answered, unsaved, showAgain, textsNow])
  // Once saved, it shows what is stored, but for what was changed since it was sent. The control that was used keeps the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with what the page shows by then.
  useLayoutEffect(() => {
    if (saves === 0) return
    const held = element.current?.contains(document.activeElement) ? document.activeElement?.id : undefined
    showAgain(textsNow(), saved, fields)
    if (held) requestAnimationFrame(() => document.getElementById(held)?.focus({ preventScroll: true }))
  }, [saves])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer, and for the controls that then show it.
  useEffect(() => {
    if (answered === null || !element.current) return
    const problem = element.current.querySelector<HTMLElement>('[aria-invalid], .co-form-problem')
    if (answered.status === 'refused')
      focusOn(refusal && controlOf(element.current, id, fields, refusal.place), problem)
    else if (answered.status !== 'restored' && answered.status !== 'new') problem?.focus()
  }, [answered, opened.version])
  useWarning(unsaved.length > 0 && !busy && state.status !== 'done')

  if (state.status === 'done') return <Reveal {...state} />

  // Where the form itself calls its action, React empties it afterwards, also if it was refused.
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const sent = new FormData(event.currentTarget)
    const isUndo = props.done === 'undone'
    if (!isUndo) announce(null)
    start(async () => {
      const answer = await answerTo(sent)
      if (answer.status === 'left') {
        const undo = props.undo ? JSON.stringify([{ params: params ?? {}, ...props.undo }]) : answer.undo
        offerUndo(undo, answer.to)
        await follow(answer, JSON.stringify(textsOf(sent)))
      }
      if ('saved' in answer && answer.saved !== undefined) {
        const names = answer.saved.split(' ')
        offerUndo(answer.undo ?? '', here)
        announce('partly')
        partlyAt.current = savesSoFar()
        start(() => setSavedParts((before) => [...before, ...names]))
      }
      if (answer.status === 'stale') {
        router.refresh()
        setStaleAt(opened.version)
      }
      start(() => setAnswer(answer.status === 'left' ? START : answer))
    })
  }
  /** This page with what is stored now, or another. */
  const follow = async (answer: Extract<FormState, { status: 'left' }>, saved: string): Promise<void> => {
    const { to, asks, says } = answer
    if (says !== null && !showedSecret()) {
      // The answer is shown at once, the page when it is there.
      announce(says)
      start(() => setSaved(({ saves }) => ({ saves: saves + 1, saved })))
      return
    }
    if (asks === 'sign-in') keepAll()
    else keepOthers(keep)
    if (asks === 'sign-in' || showedSecret()) await leaving(answer)
    else {
      noteArrival()
      start(() => router.push(to))
    }
  }
  const discard = (): void => {
    setOpened(({ version }) => ({ was: props.was, tag, fields, version: version + 1 }))
    setAnswer(START)
  }
  const isMerged = state.status === 'stale' && (answered === null || opened.version > staleAt)
  const show = (field: FieldOf): ReactNode => {
    const shown = opened.fields.find(({ name }) => name === field.name) ?? field
    const times = saves + savedParts.filter((part) => part === partOf(shown.name)).length
    return (
      <Field
        key={shown.kind === 'secret' ? `${shown.name} ${times}` : `${shown.name} ${opened.version}`}
        field={shown}
        formId={id}
        marksOptional={props.was === undefined}
        refusal={refusal}
      />
    )
  }
  const named = parts ? (panels?.flatMap(labelledFields) ?? []) : fields
  const labels = labelsOf(named, unsaved)
  const problem = (
    <Problem state={state} fields={named} panels={panels} formId={id} scripted={scripted}>
      {state.status === 'stale' && isMerged && fields.length > 0 && (
        <Stale
          fields={named}
          sent={textsFrom(state.sent)}
          was={textsFrom(state.was)}
          here={here}
          takeTheirs={scripted ? discard : null}
        />
      )}
    </Problem>
  )
  return (
    <form ref={element} action={act} onSubmit={send} onInput={readUnsaved} className="co-form" aria-busy={busy}>
      {operation !== undefined && <Hidden name="_operation" value={operation} />}
      <Hidden name="_here" value={here} />
      <Hidden name="_done" value={props.done ?? 'saved'} />
      {params && <Hidden name="_params" value={JSON.stringify(params)} />}
      {query && <Hidden name="_query" value={JSON.stringify(query)} />}
      {body && <Hidden name="_body" value={JSON.stringify(body)} />}
      {opened.was !== undefined && <Hidden name="_was" value={opened.was} />}
      {opened.tag !== undefined && <Hidden name={parts ? '_parts' : '_ifMatch'} value={opened.tag} />}
      {next !== undefined && <Hidden name="_next" value={next} />}
      {props.proposes && <Hidden name="_proposes" value={props.proposes} />}
      {!panels && problem}
      {panels
        ? panels.map((panel) => (
            <Panel key={panel.id} id={panel.id} title={panel.title} lead={panel.lead}>
              {refusal?.place === pathIn(panel.part ?? '', '') && <p className="co-problem">{refusal.message}</p>}
              {panel.fields.length > 0 && <div className="co-form">{panel.fields.map(show)}</div>}
              {panel.folds?.map((fold) => (
                <Fold key={fold.title} title={fold.title}>
                  {fold.fields.map(show)}
                </Fold>
              ))}
              {panel.facts.length > 0 && (
                <>
                  <p className="co-hint">{say('form.readonly')}</p>
                  <Facts facts={panel.facts} />
                </>
              )}
            </Panel>
          ))
        : fields.map(show)}
      {props.proposes && <p className="co-hint">{say('applications.new.origins')}</p>}
      <Fragment key={saves}>{children}</Fragment>
      {confirm !== undefined && (
        <div className="co-field" key={`typed ${saves}`}>
          <Hidden name="_confirm" value={confirm} />
          <label className="co-label" htmlFor={`${id}-typed`}>
            {say('form.confirm', { word: confirm })}
          </label>
          <input
            id={`${id}-typed`}
            className="co-input"
            name="_typed"
            autoComplete="off"
            required
            defaultValue={'sent' in state ? textsFrom(state.sent)._typed?.[0] : undefined}
            aria-invalid={state.status === 'unconfirmed' ? true : undefined}
          />
        </div>
      )}
      {panels ? (
        <SaveBar label={props.submitLabel} busy={busy} changed={scripted ? labels : null} discard={discard}>
          {problem}
        </SaveBar>
      ) : (
        <div className="co-form-foot">
          <button type="submit" className={buttonClass(danger, fields)} disabled={busy}>
            {busy ? say('form.working') : props.submitLabel}
          </button>
        </div>
      )}
    </form>
  )
}

const buttonClass = (danger: boolean | undefined, fields: readonly FieldOf[]): string =>
  danger ? 'co-button co-button-danger' : fields.length === 0 ? 'co-button' : 'co-button co-button-primary'

const Hidden = ({ name, value }: { name: string; value: string }) => <input type="hidden" name={name} value={value} />

const fieldsOfPanel = ({ fields, folds = [] }: FormPanel): FieldOf[] => [
  ...fields,
  ...folds.flatMap((fold) => fold.fields),
]

/** With labels that say which panel they are of. */
const labelledFields = ({ title, fields, folds = [] }: FormPanel): FieldOf[] => [
  ...fields.map((field) => labelledWithin(title, field)),
  ...folds.flatMap((fold) => fold.fields.map((field) => labelledWithin(fold.title, field))),
]

/** Fields that are folded away, unless one of them is wrong or the address leads to it. */
function Fold({ title, children }: { title: string; children: ReactNode }) {
  const element = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const reveal = (): void => {
      const { hash } = window.location
      const within = [...(element.current?.querySelectorAll('[id]') ?? [])]
      const target = within.find(({ id }) => hash === `#${id}` || hash === `#${encodeURIComponent(id)}`)
      if (!element.current || !target) return
      element.current.open = true
      target.scrollIntoView()
    }
    reveal()
    window.addEventListener('hashchange', reveal)
    return () => window.removeEventListener('hashchange', reveal)
  }, [])
  return (
    <details
      ref={element}
      onInvalidCapture={({ currentTarget }) => {
        currentTarget.open = true
      }}
    >
      <summary className="co-summary">{title}</summary>
      <div className="co-form">{children}</div>
    </details>
  )
}

const offerUndo = (calls: string, to: string): void => (calls === '' ? forgetUndo() : keepUndo(calls, to))

async function answerTo(sent: FormData): Promise<Answer> {
  try {
    return await submit(START, sent)
  } catch (error) {
    // What the browser cannot fetch is a TypeError; a server that fails answers.
    return { status: error instanceof TypeError || !navigator.onLine ? 'unreachable' : 'failed' }
  }
}

const openedWith = (
  was: string | undefined,
  tag: string | undefined,
  fields: readonly FieldOf[],
  posted: FormState,
): Opened => ({ was, tag, fields: sentFields(fields, posted, was), version: 0 })

/** Without JavaScript the page is made again: with what the person had put in, where no other person changed anything. */
function sentFields(fields: readonly FieldOf[], posted: FormState, was: string | undefined): readonly FieldOf[] {
  if (!('sent' in posted)) return fields
  const sent = textsFrom(posted.sent)
  const before = posted.status === 'stale' ? posted.was : (was ?? null)
  return fields.map((field) => mergedField(field, sent, before))
}

/** What the person had put in, where it differs from what was there; without `was`, all of it. */
function mergedField(field: FieldOf, sent: Texts, was: string | null): FieldOf {
  const isMine = was === null || changedMembers(sent, textsFrom(was)).includes(rootOf(field.name))
  return isMine ? withTexts(field, sent) : field
}

/** The labels of controls with changes. */
const labelsOf = (fields: readonly FieldOf[], changed: readonly string[]): string[] =>
  changed.map((path) => leavesOf(fields).find(({ name }) => name === path)?.label ?? path)

/** This page's address without what it says about the form before. */
function useHere(): string {
  const path = usePathname()
  const query = new URLSearchParams(useSearchParams())
  query.delete('done')
  return query.size === 0 ? path : `${path}?${query}`
}

/** The control that a refusal is about: a part of it where that has a control of its own. */
function controlOf(
  form: HTMLFormElement,
  formId: string,
  fields: readonly FieldOf[],
  place: string,
): HTMLElement | null {
  const refusal = { place, message: '' }
  const field = leavesOf(fields).find(({ name }) => isAbout(refusal, name))
  const ids = [place, field?.name].flatMap((name) => (name === undefined ? [] : [controlId(formId, name)]))
  return ids.map((each) => form.ownerDocument.getElementById(each)).find((each) => each !== null) ?? null
}

function focusOn(...targets: (HTMLElement | null | undefined)[]): void {
  const target = targets.find((each) => each)
  target?.closest('details')?.setAttribute('open', '')
  target?.focus()
}
