"use strict";
{
  // The page of a server: asks for what is new, and sends decisions.
  const seconds = 15;
  const body = document.body;

  // What can change: all but the time at which the page was made.
  const textOf = (page) =>
    [...page.querySelectorAll("header, main")].map((part) => part.textContent).join("\n");
  const shown = textOf(document);

  const status = document.createElement("p");
  status.className = "note";
  status.setAttribute("role", "status");
  document.querySelector("header").append(status);

  // Whoever reads a row, or has filtered, is not to lose it.
  const isInUse = () => document.querySelector("details[open]") !== null
    || [...document.querySelectorAll("input, select")].some((field) =>
      field.type === "checkbox" ? field.checked !== field.defaultChecked
        : field instanceof HTMLSelectElement ? field.selectedIndex > 0 : field.value !== "");

  const offer = () => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Show it";
    button.addEventListener("click", () => location.reload());
    status.replaceChildren("There is something new. ", button);
  };

  const check = async () => {
    if (document.hidden) return;
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      if (!answer.ok) throw new Error(answer.statusText);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (textOf(page) === shown) {
        status.textContent = `Up to date at ${new Date().toISOString().slice(11, 19)}.`;
      } else if (isInUse()) {
        offer();
      } else {
        location.reload();
      }
    } catch {
      status.textContent = "The server does not answer.";
    }
  };
  setInterval(check, seconds * 1000);
  document.addEventListener("visibilitychange", check);

  const field = (name, hint, isRequired) => {
    const input = document.createElement("input");
    input.name = name;
    input.placeholder = hint;
    input.setAttribute("aria-label", hint);
    input.required = isRequired;
    return input;
  };

  const send = async (form, failure) => {
    const texts = Object.fromEntries([...new FormData(form)].filter(([, text]) => text !== ""));
    const answer = await fetch("v1/triage", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...failure, ...texts }),
    });
    if (answer.ok) {
      location.reload();
    } else {
      form.querySelector("output").textContent = (await answer.json()).error;
    }
  };

  if (body.dataset.live === "triage") {
    for (const row of document.querySelectorAll("tbody.failure[data-decision]")) {
      const form = document.createElement("form");
      const choice = document.createElement("select");
      choice.name = "decision";
      choice.setAttribute("aria-label", "decision");
      choice.append(new Option("Ignore", "ignore"), new Option("Resolved", "resolve"));
      const button = document.createElement("button");
      button.textContent = "Decide";
      form.append(choice, " ", field("reason", "why", true), " ",
        field("until", "until a date or a release", false), " ", button, " ",
        document.createElement("output"));
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        send(form, JSON.parse(row.dataset.decision)).catch(() => {
          form.querySelector("output").textContent = "The server does not answer.";
        });
      });
      row.querySelector("details").append(form);
    }
  }
}
