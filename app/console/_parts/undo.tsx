'use client'
import { useEffect, useState } from 'react'
import type { UndoCall } from '../../../lib/server/next/console/submit'
import { say } from '../../../lib/text/console'
import { Form } from './form'
import { presentTime } from './present-time'
import { forgetUndo, readUndo } from './undo-store'

/** Takes back what the person did last, for thirty seconds; refused where it was changed since. */
export function Undo() {
  const [call, setCall] = useState<UndoCall | null>(null)
  useEffect(() => {
    const stored = readUndo()
    if (stored === null) return
    setCall(JSON.parse(stored.call) as UndoCall)
    const timer = setTimeout(() => {
      forgetUndo()
      setCall(null)
    }, stored.until - presentTime())
    return () => clearTimeout(timer)
  }, [])
  if (call === null) return null
  const { operation, params, body, tag } = call
  return (
    <Form
      operation={operation}
      params={params}
      body={body as Readonly<Record<string, unknown>>}
      {...(tag === undefined ? {} : { tag })}
      submitLabel={say('form.undo')}
      done="undone"
    />
  )
}
