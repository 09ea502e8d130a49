import { expect } from 'chai';
import type { DomainRow } from '../../../shared/domains/repository.ts';
import { afterLook, type Finding } from '../../../shared/domains/schedule.ts';

const START = Date.UTC(2026, 10, 1);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const NEW: DomainRow = {
  org_id: '00000000-0000-7000-8000-000000000001',
  name: 'example.com',
  record: 'touchstone=1',
  confirmed_at: null,
  confirmed_by: null,
  seen_at: null,
  missing_since: null,
  checked_at: null,
  problem: null,
  requested_at: new Date(START),
  due_at: new Date(START),
  lease_until: null,
  lease_epoch: 1,
  created_at: new Date(START),
};

/** Lives through the looks that the schedule asks for. @returns what was told, with the hour in which */
function live(first: DomainRow, findingAt: (hour: number) => Finding, hours: number) {
  let row = first;
  const told: string[] = [];
  let looks = 0;
  for (let at = row.due_at; at !== null && at.getTime() < START + hours * HOUR; at = row.due_at) {
    const hour = (at.getTime() - START) / HOUR;
    const { changes, news } = afterLook(row, findingAt(hour), at);
    row = { ...row, ...changes };
    looks += 1;
    if (news !== null) told.push(`${news} ${Math.round(hour)}`);
  }
  return { row, told, looks };
}

describe('when a domain is looked at', () => {
  it('is often at first and less often later, and not for ever where its record never comes', () => {
    const { row, told, looks } = live(NEW, () => 'NO_RECORD', 60 * 24);
    expect(told).to.deep.equal([]);
    expect(row).to.include({ due_at: null, confirmed_at: null, problem: 'NO_RECORD' });
    expect(looks).to.be.within(40, 100);
    const second = afterLook(NEW, 'NO_RECORD', new Date(START)).changes.due_at!;
    expect(second.getTime() - START).to.equal(MINUTE);
  });

  it('finds a record that is set after an hour within half an hour, and is daily from then on', () => {
    const { told, row, looks } = live(NEW, (hour) => (hour < 1 ? 'NO_RECORD' : 'FOUND'), 10 * 24);
    expect(told).to.deep.equal(['confirmed 1']);
    expect(row.confirmed_by).to.equal('dns');
    expect(looks).to.be.within(19, 30);
  });

  const CONFIRMED = { ...NEW, ...afterLook(NEW, 'FOUND', new Date(START)).changes };

  it('counts for a week without its record, of which people are told once, and then no more', () => {
    const { told, row } = live(CONFIRMED, (hour) => (hour < 48 ? 'FOUND' : 'OTHER_RECORD'), 24 * 30);
    expect(told).to.deep.equal(['missing 48', `lapsed ${48 + 7 * 24}`]);
    expect(row).to.include({ confirmed_at: null, confirmed_by: null, problem: 'OTHER_RECORD', due_at: null });
    expect(row.seen_at).to.deep.equal(new Date(START + 24 * HOUR));
  });

  it('counts again as soon as the record is back, in the week or after it', () => {
    const back = live(CONFIRMED, (hour) => (hour > 47 && hour < 100 ? 'NO_RECORD' : 'FOUND'), 24 * 10);
    expect(back.told).to.deep.equal(['missing 48']);
    expect(back.row).to.include({ missing_since: null, problem: null });
    const later = live(CONFIRMED, (hour) => (hour > 47 && hour < 290 ? 'NO_RECORD' : 'FOUND'), 24 * 20);
    expect(later.told.slice(0, 2)).to.deep.equal(['missing 48', 'lapsed 216']);
    expect(later.told).to.have.length(3);
    expect(later.told[2]).to.match(/^confirmed 29\d$/);
  });

  it('is a matter of a month where name servers do not answer, of whom nobody is told', () => {
    const { told } = live(CONFIRMED, () => 'DNS_FAILED', 24 * 40);
    expect(told).to.deep.equal(['lapsed 720']);
    const short = live(CONFIRMED, (hour) => (hour < 400 ? 'DNS_FAILED' : 'FOUND'), 24 * 40);
    expect(short.told).to.deep.equal([]);
  });

  it('does not take an hour without an answer for the record’s return, nor for the week’s end', () => {
    const { told } = live(
      CONFIRMED,
      (hour) => (hour < 48 ? 'FOUND' : hour > 60 && hour < 100 ? 'DNS_FAILED' : 'NO_RECORD'),
      24 * 12,
    );
    expect(told[0]).to.equal('missing 48');
    expect(told[1]).to.match(/^lapsed 2(?:1[6-9]|2\d)$/);
    expect(told).to.have.length(2);
  });

  it('is over at the moment that people were told, also where name servers are silent by then', () => {
    const { told } = live(
      CONFIRMED,
      (hour) => (hour < 48 ? 'FOUND' : hour < 50 ? 'NO_RECORD' : 'DNS_FAILED'),
      24 * 12,
    );
    expect(told).to.deep.equal(['missing 48', 'lapsed 216']);
  });

  it('leaves the operator’s word alone, unless the record says the same', () => {
    const vouched: DomainRow = { ...NEW, confirmed_at: new Date(START), confirmed_by: 'operator' };
    const absent = live(vouched, () => 'NO_RECORD', 24 * 60);
    expect(absent).to.deep.include({ told: [], looks: 1 });
    expect(absent.row).to.include({ confirmed_by: 'operator', due_at: null });
    const found = afterLook(vouched, 'FOUND', new Date(START + DAY));
    expect(found.changes).to.deep.include({ confirmed_by: 'dns', confirmed_at: new Date(START) });
    expect(found.news).to.equal(null);
  });
});
