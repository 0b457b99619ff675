'use client'
import { useState } from 'react'
import { say } from '../../../lib/text/console'
import { Dialog } from './dialog'
import type { FinderPlace } from './finder'
import { areKeysOn, turnKeys } from './shortcuts'

type Props = { places: readonly FinderPlace[]; close(): void }

export default function KeysDialog({ places, close }: Props) {
  const [isOn, turn] = useState(areKeysOn)
  const keys = [
    ['Ctrl K', say('find.title')],
    ['/', say('keys.search')],
    ['j', say('keys.next')],
    ['k', say('keys.previous')],
    ['Enter', say('keys.open')],
    ['x', say('keys.mark')],
    ['?', say('keys.help')],
    ...places.flatMap(({ key, title }) => (key ? [[`g ${key}`, say('keys.go', { place: title })]] : [])),
  ]
  return (
    <Dialog label={say('keys.title')} close={close}>
      <h2 className="co-panel-title">{say('keys.title')}</h2>
      <dl className="co-keys">
        {keys.map(([key = '', what]) => (
          <div key={key} className="co-key">
            <dt>
              <kbd className="co-kbd">{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label className="co-switch">
        <input
          type="checkbox"
          className="co-check"
          checked={isOn}
          aria-describedby="keys-hint"
          onChange={({ target }) => {
            turn(target.checked)
            turnKeys(target.checked)
          }}
        />
        {say('keys.on')}
      </label>
      <p id="keys-hint" className="co-hint">
        {say('keys.on.hint')}
      </p>
    </Dialog>
  )
}
