import { expect, it } from 'vitest'
import { hostedScreens } from '../testing/hosted-pages'
import { PROMPTS } from '../texts/prompts'
import { promptScreens } from './prompt-screens'

it('knows a page for every screen whose texts can be changed', () => {
  const shown = new Set<string>(['common', ...hostedScreens.flatMap(promptScreens)])
  expect([...PROMPTS.values()].flatMap((screens) => [...screens.keys()]).filter((name) => !shown.has(name))).toEqual([])
})
