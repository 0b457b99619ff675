'use client'
import type { ChangeEvent } from 'react'
import { say } from '../../../lib/text/console'
import { useScripts } from './use-scripts'

/** ASN.1: the first byte of a certificate that is no text. */
const SEQUENCE = 0x30

/** Puts the text of a file into a control: the file itself is never sent. */
export function FromFile({ id, label }: { id: string; label: string }) {
  const scripted = useScripts()
  if (!scripted) return null
  const take = async ({ currentTarget }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const [file] = currentTarget.files ?? []
    const control = document.getElementById(id)
    if (!file || !(control instanceof HTMLTextAreaElement)) return
    const bytes = new Uint8Array(await file.arrayBuffer())
    control.value = bytes[0] === SEQUENCE ? btoa(String.fromCharCode(...bytes)) : new TextDecoder().decode(bytes)
    control.dispatchEvent(new Event('input', { bubbles: true }))
  }
  return (
    <label className="co-file">
      <span className="co-hint">{say('form.file')}</span>
      <input type="file" aria-label={`${label}: ${say('form.file')}`} onChange={take} />
    </label>
  )
}
