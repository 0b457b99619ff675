'use client'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import { bracketMatching, HighlightStyle, syntaxHighlighting, syntaxTree } from '@codemirror/language'
import { type Diagnostic, linter } from '@codemirror/lint'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { type RefObject, useEffect, useRef } from 'react'
import type { Syntax } from '../../../lib/server/next/console/field'
import { say } from '../../../lib/text/console'

type Props = {
  /** The control of the form, whose text it shows and changes. */
  control: RefObject<HTMLTextAreaElement | null>
  label: string
  syntax: Syntax
  describedBy: string | undefined
}

/**
 * An editor in place of a text area. It stands in a shadow tree, where the styles of CodeMirror are style sheets of the tree: the policy of the
 * pages refuses style elements. Tab leaves it.
 */
export default function CodeEditor({ control, label, syntax, describedBy }: Props) {
  const host = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is made once for a control.
  useEffect(() => {
    const [place, area] = [host.current, control.current]
    if (!place || !area) return
    const root = place.shadowRoot ?? place.attachShadow({ mode: 'open', delegatesFocus: true })
    let isOwn = false
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: area.value,
        extensions: [
          lineNumbers(),
          history(),
          bracketMatching(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          syntaxHighlighting(COLOURS),
          LOOK,
          EditorView.contentAttributes.of({
            'aria-label': label,
            ...(describedBy && { 'aria-description': hintAt(describedBy) }),
          }),
          LANGUAGES[syntax],
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (!docChanged || isOwn) return
            isOwn = true
            write(area, state.doc.toString())
            isOwn = false
          }),
        ],
      }),
    })
    // What a script or a file puts into the control is shown too.
    const follow = (): void => {
      if (isOwn || area.value === view.state.doc.toString()) return
      isOwn = true
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: area.value } })
      isOwn = false
    }
    if (document.activeElement === area) {
      view.focus()
      view.dispatch({ selection: { anchor: Math.min(area.selectionStart, view.state.doc.length) } })
    }
    area.addEventListener('input', follow)
    // The label and links lead to the editor, and nothing but the form to the area.
    const { id } = area
    const title = document.querySelector<HTMLLabelElement>(`label[for="${CSS.escape(id)}"]`)
    const hand = (): void => view.focus()
    title?.addEventListener('click', hand)
    area.removeAttribute('id')
    area.hidden = true
    area.required = false
    place.id = id
    return () => {
      area.removeEventListener('input', follow)
      title?.removeEventListener('click', hand)
      area.hidden = false
      place.removeAttribute('id')
      area.id = id
      view.destroy()
    }
  }, [])
  return <div ref={host} className="co-editor" dir="ltr" />
}

const hintAt = (ids: string): string =>
  ids
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join(' ')
    .trim()

/** As a person would: React hears of it. */
function write(area: HTMLTextAreaElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(area, text)
  area.dispatchEvent(new Event('input', { bubbles: true }))
}

const parseJson = jsonParseLinter()

/** The first place where the parser could not go on. */
function brokenScript(view: EditorView): Diagnostic[] {
  const found: Diagnostic[] = []
  syntaxTree(view.state).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError && found.length === 0)
        found.push({ from, to, severity: 'error', message: say('form.code.broken') })
    },
  })
  return found
}

const LANGUAGES: Readonly<Record<Syntax, Extension>> = {
  json: [json(), linter((view) => (view.state.doc.length === 0 ? [] : parseJson(view)))],
  javascript: [javascript(), linter(brokenScript)],
}

const COLOURS = HighlightStyle.define([
  { tag: [tags.string, tags.regexp], color: 'var(--link)' },
  { tag: [tags.comment], color: 'var(--muted)' },
  { tag: [tags.keyword, tags.bool, tags.null], fontWeight: '600' },
  { tag: [tags.invalid], color: 'var(--danger)' },
])

const LOOK = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--surface)', fontSize: '0.875rem', maxHeight: '28rem' },
  '&.cm-focused': { outline: '2px solid var(--link)' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', overflow: 'auto', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '0.5rem 0', minHeight: '4.5rem' },
  '.cm-gutters': { color: 'var(--muted)', backgroundColor: 'var(--surface)', border: 'none' },
  // Its own are pictures in addresses, which the policy refuses.
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--danger)' },
  '.cm-tooltip': { color: 'var(--ink)', backgroundColor: 'var(--surface)', border: '1px solid var(--edge)' },
})
