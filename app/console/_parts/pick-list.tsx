'use client'
import { Command } from 'cmdk'
import { useEffect, useState } from 'react'
import type { FieldOption, SearchedKind } from '../../../lib/server/next/console/field'
import type { PickAnswer } from '../../../lib/server/next/console/pick'
import { say } from '../../../lib/text/console'

/** Milliseconds without a further key. */
const PAUSE = 150

type Found = { state: 'waiting' | 'failed' } | { state: 'here'; objects: PickAnswer['objects'] }

type Props = {
  id: string
  label: string
  kind: SearchedKind
  describedBy: string | undefined
  isInvalid: boolean
  isRequired: boolean
  pick(option: FieldOption): void
}

/** A text, and the objects that it may mean: the server finds them. */
export default function PickList({ id, label, kind, describedBy, isInvalid, isRequired, pick }: Props) {
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [found, setFound] = useState<Found>({ state: 'waiting' })
  useEffect(() => {
    if (!isOpen) return
    const leaving = new AbortController()
    const timer = setTimeout(() => {
      ask(kind, text, leaving.signal).then(
        (objects) => setFound({ state: 'here', objects }),
        () => leaving.signal.aborted || setFound({ state: 'failed' }),
      )
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [kind, text, isOpen])
  const choose = (option: FieldOption): void => {
    setText('')
    setOpen(false)
    pick(option)
  }
  return (
    <Command
      className="co-pick-box"
      label={label}
      shouldFilter={false}
      loop
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isOpen) {
          event.stopPropagation()
          setOpen(false)
        }
        if (event.key === 'ArrowDown') setOpen(true)
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false)
      }}
    >
      <Command.Input
        id={id}
        className="co-input"
        value={text}
        aria-expanded={isOpen}
        aria-describedby={describedBy}
        aria-invalid={isInvalid || undefined}
        aria-required={isRequired || undefined}
        placeholder={say('pick.placeholder')}
        onValueChange={(typed) => {
          setText(typed)
          setOpen(true)
        }}
        onFocus={() => setOpen(true)}
        // What is typed here is no value of the form.
        onInput={(event) => event.stopPropagation()}
      />
      <Command.List className="co-pick-list" label={label} hidden={!isOpen}>
        {found.state === 'here' &&
          found.objects.map((object) => (
            <Command.Item
              key={object.value}
              value={object.value}
              className="co-pick-item"
              onMouseDown={(event) => event.preventDefault()}
              onSelect={() => choose(object)}
            >
              <bdi>{object.label}</bdi>
              {object.detail !== object.label && <bdi className="co-hint">{object.detail}</bdi>}
            </Command.Item>
          ))}
      </Command.List>
      <p className={isOpen ? 'co-hint' : 'co-hidden'} role="status">
        {isOpen && found.state === 'failed' ? say('pick.failed') : ''}
        {isOpen && found.state === 'here' && found.objects.length === 0 ? say('pick.none') : ''}
      </p>
    </Command>
  )
}

async function ask(kind: SearchedKind, text: string, signal: AbortSignal): Promise<PickAnswer['objects']> {
  const response = await fetch('/console/find/pick', {
    method: 'POST',
    body: new URLSearchParams({ kind, text }),
    signal,
  })
  if (!response.ok) throw new Error(String(response.status))
  return ((await response.json()) as PickAnswer).objects
}
