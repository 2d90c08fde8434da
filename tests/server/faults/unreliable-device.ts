/** A simulated network that loses requests and responses and repeats requests, and a device that retries requests. */
import { TestClient, type TestResponse } from '../../support/test-client.ts'

export interface NetworkFaults {
  /** Returns the next number from 0 to 1 of a seeded generator. */
  drawNumber: () => number
  /** Probability that a request never reaches the server. */
  requestLossRate: number
  /** Probability that a request arrives twice. */
  repeatRate: number
  /** Probability that the response of a processed request is lost. */
  responseLossRate: number
}

const MAX_ATTEMPTS = 50

/**
 * A device that repeats a request until it gets a response, as the web client does for pending writes. The simulated
 * network may send a request twice.
 */
export class UnreliableDevice extends TestClient {
  faults: NetworkFaults | null = null
  /** Repeated requests that may not have finished yet. */
  readonly pendingRepeats: Promise<unknown>[] = []

  /**
   * Sends the request until a response arrives, and returns that response. Throws after MAX_ATTEMPTS attempts without
   * a response. If `faults` is null, sends the request once.
   */
  async sendUntilAcknowledged(method: string, path: string, body?: unknown): Promise<TestResponse> {
    const { faults } = this
    if (!faults) return this.send(method, path, body)
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (faults.drawNumber() < faults.requestLossRate) continue
      if (faults.drawNumber() < faults.repeatRate) this.pendingRepeats.push(this.send(method, path, body))
      const response = await this.send(method, path, body)
      if (faults.drawNumber() >= faults.responseLossRate) return response
    }
    throw new Error(`no response after ${MAX_ATTEMPTS} attempts`)
  }
}
