interface Person {
  age: number;
  phone: string | null;
  ids: Set<string>;
  isOptedOut: boolean;
}

export interface Shown {
  phone: string | null;
  ids: string[];
  isOptedOut: boolean;
}

export class PeopleModel {
  private people: Person[] = [];
  /** Numbers that belong to no person now, and whose last owner had opted out. */
  private readonly suppressed = new Set<string>();
  private born = 0;

  private byPhone = (phone: string | null) => this.people.find((each) => phone !== null && each.phone === phone);
  private byId = (id: string | null) => this.people.find((each) => id !== null && each.ids.has(id));

  isOptedOut(phone: string): boolean {
    return this.byPhone(phone)?.isOptedOut ?? this.suppressed.has(phone);
  }

  private add(phone: string | null): Person {
    const person = { age: this.born++, phone: null, ids: new Set<string>(), isOptedOut: false };
    this.people.push(person);
    this.take(person, phone);
    return person;
  }

  private take(person: Person, phone: string | null): void {
    if (phone === null || person.phone === phone) return;
    if (person.phone !== null && person.isOptedOut) this.suppressed.add(person.phone);
    person.phone = phone;
    if (this.suppressed.delete(phone)) person.isOptedOut = true;
  }

  private join(one: Person, other: Person): Person {
    if (one === other) return one;
    const [older, newer] = one.age < other.age ? [one, other] : [other, one];
    const stays = older.phone === null && newer.phone !== null ? newer : older;
    const goes = stays === older ? newer : older;
    stays.isOptedOut ||= goes.isOptedOut;
    for (const id of goes.ids) stays.ids.add(id);
    if (goes.phone !== null && stays.isOptedOut) this.suppressed.add(goes.phone);
    this.people = this.people.filter((each) => each !== goes);
    return stays;
  }

  meet(phone: string | null, id: string | null, word: "stop" | "start" | null = null): void {
    const [a, b] = [this.byPhone(phone), this.byId(id)];
    const person = a !== undefined && b !== undefined ? this.join(a, b) : (a ?? b ?? this.add(phone));
    this.take(person, phone);
    if (id !== null) person.ids.add(id);
    if (word !== null) person.isOptedOut = word === "stop";
  }

  learn(phone: string, id: string | null): void {
    const holder = this.byPhone(phone) ?? this.add(phone);
    if (id === null) return;
    const other = this.byId(id);
    if (other === undefined) holder.ids.add(id);
    else this.join(holder, other);
  }

  move(before: string, now: string): void {
    if (before === now) return;
    const [a, b] = [this.byPhone(before), this.byPhone(now)];
    const isOptedOut = this.isOptedOut(before);
    const person = a !== undefined && b !== undefined ? this.join(a, b) : (a ?? b);
    if (person !== undefined) {
      person.isOptedOut ||= isOptedOut;
      this.take(person, now);
    } else if (isOptedOut) this.suppressed.add(now);
  }

  shown(): Shown[] {
    return this.people
      .map(({ phone, ids, isOptedOut }) => ({ phone, ids: [...ids].toSorted(), isOptedOut }))
      .toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));
  }

  withoutContact(phones: string[]): string[] {
    return phones.filter((phone) => this.byPhone(phone) === undefined && this.suppressed.has(phone)).toSorted();
  }
}
