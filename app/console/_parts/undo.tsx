'use client'
import { useEffect, useState } from 'react'
import type { FormPart } from '../../../lib/server/next/console/submit'
import { say } from '../../../lib/text/console'
import { Form } from './form'
import { presentTime } from './present-time'
import { forgetUndo, readUndo } from './undo-store'

/** Takes back what the person did last, for thirty seconds; refused where it was changed since. */
export function Undo() {
  const [calls, setCalls] = useState<readonly FormPart[] | null>(null)
  useEffect(() => {
    const stored = readUndo()
    if (stored === null) return
    setCalls(JSON.parse(stored.calls) as FormPart[])
    const timer = setTimeout(() => {
      forgetUndo()
      setCalls(null)
    }, stored.until - presentTime())
    return () => clearTimeout(timer)
  }, [])
  return calls && <Form parts={calls} submitLabel={say('form.undo')} done="undone" />
}
