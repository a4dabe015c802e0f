import { useState } from 'react';

/** The smallest React page with two questions, for comparison with the survey page. */
export function BareApp() {
  const [question, setQuestion] = useState(1);
  return (
    <main data-step={`Q${question}`}>
      <h1>Question {question}</h1>
      <button type="button" name="answer" value="yes" onClick={() => setQuestion(question + 1)}>
        Yes
      </button>
      <button type="button" name="answer" value="no" onClick={() => setQuestion(question + 1)}>
        No
      </button>
    </main>
  );
}
