// Cold start: from spawning the process to the first successful discovery response, in alternation. The database is running and
// migrated, as during a deployment or a restart.
import { median } from './statistics.mjs'

export async function measureColdStart(sides, rounds) {
  const times = sides.map(() => [])
  for (let index = 0; index < rounds; index++) {
    for (const [number, side] of sides.entries()) {
      const server = await side.start()
      times[number].push(server.milliseconds)
      await server.stop()
    }
  }
  const medians = times.map(median)
  return {
    target: 1,
    sides: sides.map(({ name }, number) => ({ name, milliseconds: medians[number] })),
    ratio: medians.length === 2 ? medians[0] / medians[1] : undefined,
  }
}
