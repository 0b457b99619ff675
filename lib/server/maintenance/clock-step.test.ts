import { expect, it } from 'vitest'
import { type LogLine, recordingLog } from '../../testing/server'
import { clockReports } from './clock-step'

function reports() {
  const lines: LogLine[] = []
  return { lines, ...clockReports(recordingLog(lines)) }
}

it('says that a database on this machine is no second source of time, and when a restart helps', () => {
  const { lines, onStep } = reports()
  onStep({ seconds: 28_800.4, aheadSeconds: 0, isConsulted: false })
  onStep({ seconds: -7200, aheadSeconds: 7200.3, isConsulted: false })
  expect(lines.map(({ fields }) => fields)).toEqual([
    { stepSeconds: 28_800, aheadSeconds: 0 },
    { stepSeconds: -7200, aheadSeconds: 7200 },
  ])
  expect(lines.map(({ sentence }) => sentence)).toEqual([
    expect.stringMatching(/follows it\. There is no second source of time: the database is on this machine\.$/),
    expect.stringMatching(/restart the server\. There is no second source of time: the database is on this machine\.$/),
  ])
})

it('says that the database is consulted, and what it says', () => {
  const { lines, onStep, onVerdict } = reports()
  onStep({ seconds: 93_600, aheadSeconds: 0, isConsulted: true })
  onVerdict({ verdict: 'source', correctedSeconds: -93_600.2, wallAheadSeconds: 93_600.2 })
  onVerdict({ verdict: 'wall', correctedSeconds: 0, wallAheadSeconds: 0 })
  onVerdict({ verdict: 'unknown', correctedSeconds: 0, wallAheadSeconds: 7200 })
  expect(lines.map(({ fields }) => fields)).toMatchObject([
    { stepSeconds: 93_600 },
    { correctedSeconds: -93_600, wallAheadSeconds: 93_600 },
    { correctedSeconds: 0 },
    { wallAheadSeconds: 7200 },
  ])
  expect(lines.map(({ sentence }) => sentence)).toEqual([
    expect.stringContaining('is consulted'),
    expect.stringContaining('do not restart'),
    expect.stringContaining('confirms'),
    expect.stringContaining('contradict'),
  ])
})
